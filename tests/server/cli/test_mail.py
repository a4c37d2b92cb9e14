"""`nabu mail pipe`: one email on standard input, and the exit code for the mail server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner
from sqlmodel import select

from mail.incoming.handover import Handover, hand_over
from mail.incoming.piping import Exit, Told
from mail.incoming.receiving import Received
from server.__main__ import main
from server.cli import nabu
from server.cli.mail import meeting_point
from server.processes.services import Services, utc_now
from server.store.db import reading
from server.store.models import Inbox
from tests.support.forks import FORKS
from tests.support.machine.waiting import await_that
from tests.support.server.emails import PLAY, reply_address
from tests.support.server.games import TwoPlayerGame

pytestmark = pytest.mark.slow

MAIL = b"From: Ann <ann@example.org>\nTo: play@games.example.org\nMessage-ID: <1@x>\n\nhelp\n"


@pytest.fixture
def config(services: Services, tmp_path: Path) -> Path:
    """Return a settings file for the services."""
    file = tmp_path / "nabu.env"
    settings = services.settings
    file.write_text(
        f"NABU_SECRET_KEY={settings.secret_key}\nNABU_MAIL_DOMAIN={settings.mail_domain}\n"
        f"NABU_DATABASE_URL={settings.database_url}\n"
    )
    return file


def piped(
    config: Path, *arguments: str | bytes, mail: bytes = MAIL, environment: dict[str, str] | None = None
) -> tuple[int, str]:
    """Run the program as a mail server does; return its exit code and output."""
    command = [sys.executable, "-m", "server", *_asked(config, *arguments)]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NABU_")}
    done = subprocess.run(
        command, input=mail, capture_output=True, env={**clean, **(environment or {})}, check=False
    )
    return done.returncode, (done.stdout + done.stderr).decode()


def forked(
    config: Path, *arguments: str | bytes, mail: bytes = MAIL, environment: dict[str, str] | None = None
) -> tuple[int, str]:
    """Do the same in a process that has imported everything, as importing takes longest."""
    code, said, told = run(*_asked(config, *arguments), mail=mail, environment=environment)
    return code, said + told


def run(*arguments: str, mail: bytes = b"", environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Run a command in such a process; return its exit code, output and errors."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "0").write_bytes(mail)
        process = FORKS.Process(target=_be, args=(folder, environment or {}, arguments))
        process.start()
        process.join()
        assert process.exitcode is not None
        return process.exitcode, (folder / "1").read_text(), (folder / "2").read_text()


def _asked(config: Path, *arguments: str | bytes) -> list[str]:
    return ["--config", str(config), "mail", "pipe", *map(os.fsdecode, arguments)]


def _be(folder: Path, environment: dict[str, str], arguments: tuple[str, ...]) -> None:
    """Run the program with files as its streams."""
    for stream in (0, 1, 2):
        os.dup2(os.open(folder / str(stream), os.O_RDWR | os.O_CREAT), stream)
    sys.stdin, sys.stdout, sys.stderr = (
        open(stream, mode, closefd=False)  # noqa: SIM115 - they end with the process
        for stream, mode in enumerate(("r", "w", "w"))
    )
    for name in [name for name in os.environ if name.startswith("NABU_")]:
        del os.environ[name]
    os.environ.update(environment)
    sys.argv = ["nabu", *arguments]
    main()


def stored(services: Services) -> list[tuple[str, str, str, str]]:
    with reading(services.engine) as session:
        return [
            (row.source, row.mail_from, row.recipient, row.state) for row in session.exec(select(Inbox)).all()
        ]


def test_turn_is_stored_and_played(services: Services, config: Path) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    player = table.players[0].email
    recipient = reply_address(services, table.number, 0, 1)
    mail = f"From: {player}\nTo: {recipient}\nMessage-ID: <1@x>\n\nc3\n".encode()
    for pipe in (piped, forked):
        assert pipe(config, f"--sender={player}", "--", recipient, mail=mail) == (0, "")
    assert stored(services) == [("pipe", player, recipient, "new")]
    assert services.pipeline().handle_next(utc_now())
    assert table.game().turn == 2


def test_recipient_comes_from_the_header_without_arguments_and_environment(
    services: Services, config: Path
) -> None:
    environment = {"SENDER": "MAILER-DAEMON", "RECIPIENT": "abuse@games.example.org"}
    assert forked(config, environment=environment) == (0, "")
    assert forked(config) == (0, "")
    assert stored(services) == [
        ("pipe", "", "abuse@games.example.org", "new"),
        ("pipe", "ann@example.org", PLAY, "new"),
    ]


def test_email_for_no_known_address_is_quarantined(services: Services, config: Path) -> None:
    assert forked(config, mail=MAIL.replace(b"To: play", b"To: list")) == (0, "")
    services.pipeline().handle_next(utc_now())
    assert stored(services) == [("pipe", "ann@example.org", "", "quarantined")]


def test_invalid_bytes_in_addresses_do_no_harm(services: Services, config: Path) -> None:
    assert forked(config, b"--sender=\xff@example.org", PLAY) == (0, "")
    assert stored(services) == [("pipe", "?@example.org", PLAY, "new")]


@pytest.mark.parametrize(
    ("recipient", "mail", "code"),
    [
        ("nobody@games.example.org", MAIL, 67),
        ("play+nonsense@games.example.org", MAIL, 67),
        (PLAY, b"", 65),
        (PLAY, MAIL + b"x" * 5_000_000, 65),
    ],
)
def test_wrong_recipient_or_no_email_gives_a_permanent_error(
    services: Services, config: Path, recipient: str, mail: bytes, code: int
) -> None:
    assert forked(config, "--sender", "ann@example.org", recipient, mail=mail) == (code, "")
    assert stored(services) == []


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("NABU_DATABASE_URL=postgresql://nobody:hush@127.0.0.1:1/x", "127.0.0.1"),
        ("NABU_DATABASE_URL=sqlite:////dev/null/nabu.db", "/dev/null"),
        ("NABU_DATABASE_URL=sqlite:///{empty}", "Run: nabu db upgrade"),
        ("NABU_SECRET_KEY=short", "NABU_SECRET_KEY"),
        ("NABU_IMAP_URL=imaps://ann:hush@mail.example.org/INBOX?x", "NABU_IMAP_URL"),
    ],
)
def test_own_failure_gives_a_temporary_error(config: Path, tmp_path: Path, line: str, says: str) -> None:
    config.write_text(config.read_text() + line.format(empty=tmp_path / "empty.db") + "\n")
    code, said = forked(config, "--sender=ann@example.org", PLAY)
    assert code == 75
    assert says in said
    assert "hush" not in said


def test_missing_settings_and_wrong_arguments_give_a_temporary_error(config: Path) -> None:
    code, said = forked(config.with_name("none.env"), PLAY)
    assert (code, "none.env does not exist or cannot be read" in said) == (75, True)
    assert forked(config, "--sendr=x", PLAY)[0] == 75
    assert forked(config, "--sender")[0] == 75
    assert run("--confg", "x", "mail", "pipe", PLAY)[0] == 75
    assert run("--confg", "x", "admin", "held")[0] == 2


def test_incomplete_program_gives_a_temporary_error(config: Path, tmp_path: Path) -> None:
    """The installation is incomplete, as while another version is being installed."""
    (tmp_path / "sqlmodel.py").write_text("raise ImportError('half installed')")
    code, said = piped(config, PLAY, environment={"PYTHONPATH": str(tmp_path)})
    assert code == 75
    assert "half installed" in said


def test_wrong_key_gives_a_temporary_error(services: Services, config: Path) -> None:
    assert forked(config, PLAY)[0] == 0
    config.write_text(config.read_text().replace(services.settings.secret_key, "w" * 40))
    code, said = forked(config, "play+nonsense@games.example.org")
    assert (code, said.count("\n")) == (75, 1)
    code, _, told = run("--config", str(config), "admin", "held")
    assert (code, told) == (2, said)


def test_failing_database_gives_a_temporary_error(services: Services, config: Path) -> None:
    with services.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE inbox RENAME TO away")
    code, said = forked(config, "--sender=ann@example.org", PLAY)
    assert code == 75
    assert "help" not in said, "no one can read the email"
    assert "ann@example.org" not in said
    with services.engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE away RENAME TO inbox")
    assert forked(config, "--sender=ann@example.org", PLAY) == (0, "")


def test_help_lists_the_exit_codes() -> None:
    said = " ".join(CliRunner().invoke(nabu, ["mail", "pipe", "--help"]).output.split())
    assert "0 if the email is stored, 67 if no recipient is an address of Nabu, 65" in said


def test_pipe_reports_that_the_mail_process_could_not_store_the_email(config: Path) -> None:
    def store(_: Sequence[Received]) -> None:
        raise OSError("no disk")

    name = meeting_point(config)
    end = Handover(name, accepts=lambda _: None, store=store)
    end.start()
    try:
        await_that(lambda: hand_over(name, Told((), True, ""), b"") is Exit.DATAERR)
        assert forked(config, PLAY) == (75, "the mail process did not store the email; see its log\n")
        assert forked(config, PLAY, mail=b"") == (65, "")
    finally:
        end.stop()

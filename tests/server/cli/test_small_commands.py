"""Commands that import little, so that they start fast and need little memory."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner
from sqlmodel import select

from mail.incoming.handover import hand_over
from mail.incoming.piping import Exit, Told
from server.cli import nabu
from server.cli.mail import meeting_point
from server.processes.mail_process import Mailroom
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Inbox
from tests.support.machine.waiting import await_that
from tests.support.server.emails import reply_address
from tests.support.server.games import TwoPlayerGame
from tests.support.server.services import environment_of

HELP = {"click", "server", "server.__main__", "server.cli", "server.monitoring", "server.monitoring.logs"}
"""What `nabu --help` may import: packages of others, and modules of Nabu."""
PIPE = HELP | {
    *("aiosmtpd", "attr", "public"),
    *("cryptography", "_cffi_backend", "_openssl"),
    "dotenv",
    *("email_validator", "idna"),
    *("mail", "mail.addresses", "mail.decoding", "mail.fields", "mail.reading", "mail.reading.author"),
    *(f"mail.incoming{part}" for part in ("", ".batching", ".envelopes", ".handover", ".peers", ".piping")),
    *(f"mail.incoming.{part}" for part in ("rates", "receiving", "replies", "sessions", "watching")),
    *("server.cli.mail", "server.store", "server.store.keys", "server.store.keys.derivation"),
}
"""What `nabu mail pipe` may import if a mail process takes the email."""

PROGRAM = """
import atexit, sys
before = set(sys.modules)
atexit.register(lambda: print("modules:", *sys.modules.keys() - before, file=sys.stderr))
from server.__main__ import main
main()
"""


def imported(*arguments: str, mail: bytes = b"", environment: dict[str, str] | None = None) -> set[str]:
    """Run `nabu` in a new process; return the packages of others, and the modules of Nabu, that it imports."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NABU_")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        input=mail,
        capture_output=True,
        check=True,
        env=clean | (environment or {}),
    )
    names = set(done.stderr.decode().rpartition("modules:")[2].split())
    ours = {name for name in names if name.partition(".")[0] in ("server", "mail", "rules")}
    return ours | ({name.partition(".")[0] for name in names - ours} - sys.stdlib_module_names)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--version", "--help"])
def test_help_imports_no_command(option: str) -> None:
    assert imported(option) - HELP == set()


def test_help_shows_the_first_sentence_of_each_command() -> None:
    context = click.Context(nabu)
    commands = {name: nabu.get_command(context, name) for name in nabu.list_commands(context)}
    lines = [f"{name} {command.get_short_help_str(200)}" for name, command in commands.items() if command]
    shown = CliRunner().invoke(nabu, ["--help"]).output.partition("Commands:")[2]
    assert [" ".join(line.split()) for line in shown.strip().splitlines()] == lines


@pytest.mark.slow
@pytest.mark.both
def test_pipe_hands_its_email_to_the_mail_process(services: Services) -> None:
    table = TwoPlayerGame(services, "nebuchadnezzar", size=5)
    player, recipient = table.players[0].email, reply_address(services, table.number, 0, 1)
    mail = f"From: {player}\nTo: {recipient}\nMessage-ID: <1@x>\n\nc3\n".encode()
    environment = environment_of(services.settings)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        name = meeting_point(None)
    room = Mailroom(services, name)
    room.start()
    try:
        await_that(lambda: hand_over(name, Told((), True, ""), b"") is Exit.DATAERR)
        found = imported("mail", "pipe", f"--sender={player}", recipient, mail=mail, environment=environment)
        await_that(lambda: table.game().turn == 2)
    finally:
        room.stop()
    assert found - PIPE == set()
    with reading(services.engine) as session:
        (row,) = session.exec(select(Inbox)).all()
    assert (row.source, row.mail_from, row.recipient, row.state) == ("pipe", player, recipient, "done")

"""Problems are reported in one line before anything starts, and no process outlives `nabu serve`."""

from __future__ import annotations

import logging
import os
import random
import secrets
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner, Result
from sqlalchemy.exc import OperationalError

from server import cli
from server.cli import main, nabu
from server.cli.startup_checks import warn_of_open_secrets
from server.monitoring import metrics
from server.processes.mail_process import Mailroom
from server.processes.worker import Worker
from server.settings import Settings
from server.settings.loading import BadSettings
from server.store.keys.check import WrongKey
from server.store.rollback.history import OlderDatabase
from server.web.server import WebServer
from tests.support.forks import FORKS
from tests.support.machine.ports import free_port, free_ports
from tests.support.machine.processes import children_of, is_alive
from tests.support.machine.waiting import await_that
from tests.support.server.services import sqlite_database

pytestmark = pytest.mark.slow

SERVE = [sys.executable, "-m", "server", "serve"]


@pytest.fixture(autouse=True)
def _hooks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore what `main` changes for the rest of the process, so that other tests report their own errors."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    yield
    logging.captureWarnings(False)


def environment(folder: Path, **changed: str) -> dict[str, str]:
    """Return working settings, with the given changes, and the rest of the environment."""
    return {**os.environ, **listening(folder), **changed}


def listening(folder: Path) -> dict[str, str]:
    """Return working settings with free ports."""
    return listening_at(folder, *free_ports(2))


def listening_at(folder: Path, web: int, mail: int) -> dict[str, str]:
    """Return working settings with these ports."""
    return {
        "NABU_SECRET_KEY": "k" * 32,
        "NABU_MAIL_DOMAIN": "games.example.org",
        "NABU_DATABASE_URL": f"sqlite:///{folder}/nabu.db",
        "NABU_HTTP_LISTEN": f"127.0.0.1:{web}",
        "NABU_SMTP_LISTEN": f"127.0.0.1:{mail}",
    }


@pytest.fixture(scope="module")
def taken() -> Iterator[int]:
    """Listen on a port; return it."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield server.getsockname()[1]


WRONG: dict[str, tuple[Callable[[Path, int], dict[str, str]], str]] = {
    "relay": (
        lambda *_: {"NABU_SMTP_URL": "mail.example.org:25"},
        "NABU_SMTP_URL=(hidden): must be smtp://HOST:PORT,",
    ),
    "web port": (
        lambda _, port: {"NABU_HTTP_LISTEN": f"127.0.0.1:{port}"},
        "NABU_HTTP_LISTEN=127.0.0.1:",
    ),
    "mail port": (
        lambda _, port: {"NABU_LMTP_LISTEN": f"127.0.0.1:{port}"},
        "NABU_LMTP_LISTEN=127.0.0.1:",
    ),
    "host": (
        lambda *_: {"NABU_SMTP_LISTEN": "no.such.host.invalid:2525"},
        "NABU_SMTP_LISTEN=no.such.host.invalid:2525: cannot listen: ",
    ),
    "address": (
        lambda *_: {"NABU_SMTP_LISTEN": "192.0.2.1:2525"},
        "NABU_SMTP_LISTEN=192.0.2.1:2525: cannot listen: ",
    ),
    "folder": (
        lambda folder, _: {"NABU_DATABASE_URL": f"sqlite:///{folder}/file/x/nabu.db"},
        "NABU_DATABASE_URL=(hidden): ",
    ),
    "database": (
        lambda *_: {"NABU_DATABASE_URL": f"postgresql://nabu:hush@127.0.0.1:{free_port()}/nabu"},
        "NABU_DATABASE_URL=(hidden): the database cannot be reached: ",
    ),
    "no database": (
        lambda folder, _: {"NABU_DATABASE_URL": f"sqlite:///{folder}"},
        "NABU_DATABASE_URL=(hidden): ",
    ),
    "signing": (lambda folder, _: {"NABU_DKIM_KEY": f"{folder}/file"}, "NABU_DKIM_KEY=/"),
    "no signing key": (lambda folder, _: {"NABU_DKIM_KEY": f"{folder}/none.pem"}, "NABU_DKIM_KEY=/"),
    "maildir": (lambda folder, _: {"NABU_MAILDIR": f"{folder}/file"}, "NABU_MAILDIR=/"),
    "spelling": (
        lambda *_: {"NABU_SMPT_URL": "x"},
        "NABU_SMPT_URL=(hidden): no setting has this name; did you mean NABU_",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_invalid_setting_is_reported_in_one_line_and_nothing_starts(
    tmp_path: Path, taken: int, name: str
) -> None:
    (tmp_path / "file").write_text("no key, no folder")
    change, expected = WRONG[name]
    found = CliRunner().invoke(nabu, ["serve"], env=environment(tmp_path, **change(tmp_path, taken)))
    assert isinstance(found.exception, BadSettings)
    told = str(found.exception)
    assert told.startswith(expected)
    assert len(told.splitlines()) == 1
    assert "hush" not in told


def test_report_of_invalid_settings_is_the_only_output(tmp_path: Path, taken: int) -> None:
    settings = environment(tmp_path, NABU_HTTP_LISTEN=f"127.0.0.1:{taken}")
    found = subprocess.run(SERVE, env=settings, capture_output=True, text=True, check=False)
    told = f"NABU_HTTP_LISTEN=127.0.0.1:{taken}: cannot listen: Address already in use.\n"
    assert (found.stderr, found.returncode) == (told, 2)


@pytest.mark.timeout(30)  # if it fails, a command may start a server in this process
@pytest.mark.parametrize("command", ["doctor", "web", "mail", "worker", "backup", "admin held", "db upgrade"])
def test_every_command_reports_invalid_settings_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    given = {**listening(tmp_path), "NABU_ADMINISTRATOR": "me", "NABU_IMAP_PAUSE": "often"}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        main(command.split())
    expected = (
        "NABU_IMAP_PAUSE=often: must be a whole number from 1 to 86400. Example: NABU_IMAP_PAUSE=60\n"
        "NABU_ADMINISTRATOR=me: must be an email address. Example: NABU_ADMINISTRATOR=admin@example.org\n"
    )
    assert (*capsys.readouterr(), ended.value.code) == ("", expected, 2)


def test_unavailable_database_is_reported_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def fail(*_: object, **__: object) -> None:
        raise OperationalError("UPDATE player", {"name": "Ann"}, full)

    monkeypatch.setattr(cli, "nabu", fail)
    with pytest.raises(SystemExit) as ended:
        main()
    told = "The database cannot do this now. Try again later: database or disk is full\n"
    assert (ended.value.code, capsys.readouterr().err) == (75, told)


def test_older_database_is_reported_with_the_command_that_accepts_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "nabu", Mock(side_effect=OlderDatabase("The database nabu.db", is_file=True)))
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr().err
    assert (ended.value.code, told.startswith("The database nabu.db is older than the database")) == (75, True)
    assert told.endswith("to continue with this one: nabu admin skip-numbers\n")
    assert "Try again later" not in told


NONSENSE = (
    "", " ", "x", "9" * 30, "a..b", "a..b:8000", "127.0.0.1:²", "[::1", "é@ü", "\udcff" * 40, "\n",
    "/nonexistent/file", "/dev/null/x", "postgresql://host:port/x",
)  # fmt: skip


_FEW = 1
"""The number of random values of each setting that are tried with the slow commands."""

Run = Callable[[str, dict[str, str]], Result]


def prepared(folder: Path, patch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command until it would start to serve, or fails."""
    sqlite_database(folder)
    patch.chdir(folder)
    for place in ("server.cli.run", "server.cli.web"):
        patch.setattr(import_module(place), "wait_for_signal", lambda *_: None)
    for part in (Worker, WebServer, Mailroom):
        patch.setattr(part, "start", lambda self: None)
    for part in (Worker, Mailroom):
        patch.setattr(part, "stop", lambda self: None)
    patch.setattr("server.cli.serve.Child", lambda *_: Mock())
    patch.setattr("server.cli.serve.stop_event", lambda: Mock(wait=lambda *_: True))

    def run(command: str, changed: dict[str, str]) -> Result:
        return CliRunner().invoke(
            nabu, command.split(), env={**listening_at(folder, 0, 0), metrics.FOLDER: str(folder), **changed}
        )

    return run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return prepared(tmp_path, monkeypatch)


@pytest.mark.sample(10)
@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_no_setting_crashes_a_command(name: str, tmp_path: Path) -> None:
    """Run in a separate process, so that open files and ports are closed when it ends."""
    process = FORKS.Process(target=_set_to_nonsense, args=(name, tmp_path, secrets.token_hex(4)))
    process.start()
    process.join()
    assert process.exitcode == 0


def _set_to_nonsense(name: str, folder: Path, seed: str) -> None:
    run = prepared(folder, pytest.MonkeyPatch())

    def stands(command: str, value: str) -> bool:
        found = run(command, {f"NABU_{name.upper()}": value})
        told = isinstance(found.exception, BadSettings | WrongKey)
        assert found.exit_code == 0 or told, (command, value, seed)
        return not isinstance(found.exception, BadSettings)

    read = [value for value in NONSENSE if stands("admin held", value)]
    drawn = random.Random(seed).sample(read, min(_FEW, len(read)))
    for command, values in (("mail", read), ("worker", read), ("web", drawn), ("serve", drawn)):
        for value in values:
            stands(command, value)


def test_settings_file_that_is_no_text_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "nabu.env"
    file.write_bytes(b"NABU_ADMINISTRATOR=\xff\n")
    found = CliRunner().invoke(nabu, ["--config", str(file), "worker"], env=environment(tmp_path))
    assert isinstance(found.exception, BadSettings)
    assert "UTF-8" in str(found.exception)


def is_up(address: str) -> bool:
    host, port = address.split(":")
    try:
        socket.create_connection((host, int(port)), 1).close()
    except OSError:
        return False
    return True


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
def test_children_stop_when_the_parent_is_killed(tmp_path: Path) -> None:
    settings = environment(tmp_path)
    process = subprocess.Popen(SERVE, env=settings, stderr=subprocess.DEVNULL)
    parts: list[int] = []
    try:
        await_that(lambda: is_up(settings["NABU_HTTP_LISTEN"]) and is_up(settings["NABU_SMTP_LISTEN"]))
        parts = children_of(process.pid)
        assert len(parts) == 4
    finally:
        process.kill()
        process.wait()
    await_that(lambda: not any(map(is_alive, parts)))


@pytest.mark.parametrize(("mode", "warned"), [(0o644, True), (0o640, False), (0o600, False)])
def test_worker_warns_of_readable_secrets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, mode: int, warned: bool
) -> None:
    files = [tmp_path / "nabu.env", tmp_path / "dkim.pem"]
    for file in files:
        file.touch()
        file.chmod(mode)
    settings = Settings(secret_key="k" * 32, mail_domain="games.example.org", dkim_key=str(files[1]))
    warn_of_open_secrets(settings, files[0])
    assert [str(file) in caplog.text for file in files] == [warned, warned]

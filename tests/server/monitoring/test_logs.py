"""A flood of errors makes only a few log lines, from any library."""

from __future__ import annotations

import io
import logging
import os
import resource
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from server.monitoring.logs import FORMAT, MOST_LINES, MOST_OF_A_PLACE, Sparing
from tests.support.machine.ports import free_port
from tests.support.machine.waiting import await_that
from tests.support.server.services import sqlite_database

pytestmark = pytest.mark.slow


class Log:
    """A log in memory with a clock that the test controls."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.text = io.StringIO()
        handler = Sparing(self.text, lambda: self.passed)
        handler.setFormatter(logging.Formatter(FORMAT))
        self.logger = logging.Logger("somebody")
        self.logger.addHandler(handler)

    def tell(self, name: str, level: int, message: str, line: int = 0) -> None:
        """Log with a logger of this name, from some line of a program."""
        self.logger.handle(logging.LogRecord(name, level, name, line, message, (), None))

    @property
    def lines(self) -> list[str]:
        """Return the log lines without times, levels and names."""
        return [line.split(" ", 4)[4] for line in self.text.getvalue().splitlines()]


@pytest.fixture
def log() -> Log:
    return Log()


def test_each_cause_logs_a_line_a_minute_and_others_are_counted(log: Log) -> None:
    for number in range(10_000):
        log.logger.error("mail %s not sent: %s", number, "away")
        log.logger.warning("mail %s not sent: %s", number, "refused")
    assert log.lines == ["mail 0 not sent: away", "mail 0 not sent: refused"]
    log.passed += 60
    log.logger.error("mail %s not sent: %s", 5, "away")
    counted = log.lines[2:]
    assert counted == [
        "9999 more similar lines in a minute: somebody: mail # not sent: away",
        "9999 more similar lines in a minute: somebody: mail # not sent: refused",
        "mail 5 not sent: away",
    ]


def test_traceback_is_written_once_a_minute(log: Log) -> None:
    for number in range(1000):
        try:
            raise OSError(24, "Too many open files")
        except OSError:
            log.logger.exception("socket %s", number)
    assert log.text.getvalue().count("Traceback") == 1


def test_lasting_failure_logs_a_line_a_minute(log: Log) -> None:
    for _ in range(3):
        try:
            raise OSError(28, "No space left on device")
        except OSError:
            log.logger.exception("not stored")
        log.passed += 60
    assert log.text.getvalue().count("Traceback") == 1
    assert log.lines[-2:] == ["not stored (OSError, as before)"] * 2


def in_words(number: int) -> str:
    """Return a number in letters, as digits do not make another cause."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def test_other_causes_have_lines_of_their_own_up_to_a_limit(log: Log) -> None:
    for number in range(10_000):
        log.logger.error("refused %s", in_words(number))
        log.logger.info("hello %s", in_words(number))
    assert len(log.lines) == 2 * MOST_OF_A_PLACE
    log.passed += 60
    log.logger.error("refused a")
    assert log.lines[-1] == "refused a"
    assert "more lines in a minute" in log.lines[-2]


def test_total_number_of_log_lines_is_limited(log: Log) -> None:
    for number in range(1000):
        log.tell("somebody", logging.ERROR, f"refused {in_words(number)}", line=number)
    assert len(log.lines) == MOST_LINES


@pytest.mark.parametrize(
    ("name", "level"),
    [
        ("mail.incoming.sessions", logging.INFO),
        ("server.web.mail_webhooks", logging.WARNING),
        ("asyncio", logging.ERROR),
    ],
)
def test_own_errors_are_logged_whatever_fills_the_log(log: Log, name: str, level: int) -> None:
    for number in range(10_000):
        log.tell(name, level, f"refused {in_words(number)}", line=number)
    log.tell("server.outbound.relay_health", logging.ERROR, "mail does not go out: away")
    assert log.lines[-1] == "mail does not go out: away"


def test_noisy_place_does_not_block_other_errors(log: Log) -> None:
    for number in range(10_000):
        log.tell("server.web.errors", logging.ERROR, f"page {in_words(number)}", line=1)
    log.tell("server.outbound.relay_health", logging.ERROR, "mail does not go out: away", line=2)
    assert log.lines[-1] == "mail does not go out: away"


def test_log_line_has_a_maximum_length(log: Log) -> None:
    log.logger.error("said: %s", "x" * 5000)
    try:
        raise OSError("y" * 5_000_000)
    except OSError:
        log.logger.exception("not stored")
    assert max(map(len, log.text.getvalue().splitlines())) < 1200
    assert "OSError: yyy" in log.text.getvalue()
    try:
        raise OSError("z\n" * 1_000_000)
    except OSError:
        log.logger.exception("not sent")
    assert len(log.text.getvalue()) < 40_000


def test_failed_logging_is_not_reported(capfd: pytest.CaptureFixture[str]) -> None:
    with open("/dev/full", "w", buffering=1) as full:
        handler = Sparing(full)
        for number in range(10):
            handler.handle(logging.LogRecord("x", logging.ERROR, "", 0, "x" * 10_000 * number, (), None))
        with pytest.raises(OSError, match="No space"):
            full.flush()
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())
    assert capfd.readouterr() == ("", "")


FILES = 64


@contextmanager
def nabu(folder: Path, part: str) -> Iterator[tuple[subprocess.Popen[bytes], int, Path]]:
    """Run a part of Nabu that may open few files; return its port and its log."""
    port, file = free_port(), folder / "log"
    settings = {
        "NABU_SECRET_KEY": "k" * 32,
        "NABU_MAIL_DOMAIN": "games.example.org",
        "NABU_DATABASE_URL": sqlite_database(folder),
        "NABU_HTTP_LISTEN" if part == "web" else "NABU_SMTP_LISTEN": f"127.0.0.1:{port}",
    }
    with file.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "server", part],
            env={**os.environ, **settings},
            stderr=log,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES)),
        )
    try:
        yield process, port, file
    finally:
        process.terminate()
        process.wait(60)


def is_up(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def answers(part: str, port: int) -> bool:
    """Return whether a process shows the home page, or greets a mail client."""
    with suppress(OSError):
        if part == "web":
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as page:
                return bool(page.status == 200)
        with socket.create_connection(("127.0.0.1", port), 60) as connection:
            return connection.recv(3) == b"220"
    return False


@pytest.mark.long
@pytest.mark.parametrize("part", ["web", "mail"])
def test_process_without_free_files_logs_little_and_goes_on(tmp_path: Path, part: str) -> None:
    with nabu(tmp_path, part) as (process, port, log):
        await_that(lambda: is_up(port))
        with ExitStack() as crowd:
            for _ in range(FILES):
                crowd.enter_context(socket.create_connection(("127.0.0.1", port), 60))
            await_that(lambda: b"Too many open files" in log.read_bytes())
            for _ in range(FILES):
                crowd.enter_context(socket.create_connection(("127.0.0.1", port), 60))
        await_that(lambda: answers(part, port))  # connections of the crowd may still wait to be accepted
        assert process.poll() is None
        assert len(log.read_bytes()) < 20_000

"""Handing an email over to a running mail process."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from uuid import uuid4

import pytest

from mail.incoming import handover
from mail.incoming.batching import NoRoom
from mail.incoming.handover import Handover, hand_over
from mail.incoming.piping import Exit, Told
from mail.incoming.receiving import MAX_SIZE, Received
from tests.support.machine.waiting import await_that

MAIL = b"From: Ann <ann@example.org>\nTo: play@games.example.org\n\nc3\n"
BY = Told(("play@games.example.org",), True, "ann@example.org")


@pytest.fixture
def name() -> str:
    return uuid4().hex


@contextmanager
def taking(name: str, store: Callable[[Sequence[Received]], None]) -> Iterator[None]:
    """Run a process's end of the socket, which accepts one address."""
    end = Handover(name, accepts=lambda to: None if to in BY.recipients else "550 5.1.1 No", store=store)
    end.start()
    try:
        yield
    finally:
        end.stop()


def listens(name: str) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(f"\0nabu-{name}") == 0


def sent_by_hand(connection: socket.socket, name: str) -> None:
    connection.connect(f"\0nabu-{name}")
    connection.sendall(json.dumps({**asdict(BY), "size": len(MAIL)}).encode() + b"\n" + MAIL)


def test_email_is_stored_before_the_exit_code_is_sent(name: str) -> None:
    found: list[Received] = []
    with taking(name, found.extend):
        await_that(lambda: listens(name))
        assert hand_over(name, BY, MAIL) is Exit.OK
        assert found == [Received("pipe", "", "ann@example.org", BY.recipients, MAIL)]
        strange = "\udcff@example.org"
        assert hand_over(name, Told((strange,), True, None), MAIL) is Exit.NOUSER
        assert hand_over(name, BY, b"x" * (MAX_SIZE + 1)) is Exit.DATAERR
        assert hand_over(name, BY, b"") is Exit.DATAERR
    assert len(found) == 1


@pytest.mark.parametrize("error", [NoRoom("full"), OSError("no disk")])
def test_email_that_cannot_be_stored_stays_with_the_mail_server(name: str, error: Exception) -> None:
    def store(_: Sequence[Received]) -> None:
        raise error

    with taking(name, store):
        await_that(lambda: listens(name))
        assert hand_over(name, BY, MAIL) is Exit.TEMPFAIL


def test_without_a_process_there_is_no_answer(name: str) -> None:
    found: list[Received] = []
    assert hand_over(name, BY, MAIL) is None
    with taking(name, found.extend):
        await_that(lambda: listens(name))
    assert hand_over(name, BY, MAIL) is None


@pytest.mark.parametrize("sent", [b"", b"nonsense\n", b'{"size": 90}\n' + MAIL, b'{"size": 5000001000}\nx'])
def test_incomplete_email_is_not_stored_and_gets_no_answer(name: str, sent: bytes) -> None:
    """The sending process may be killed at any moment."""
    found: list[Received] = []
    with taking(name, found.extend):
        await_that(lambda: listens(name))
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(f"\0nabu-{name}")
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1) == b""
        assert hand_over(name, BY, MAIL) is Exit.OK
    assert len(found) == 1


def test_process_that_ends_before_its_answer_gives_none(name: str) -> None:
    with socket.socket(socket.AF_UNIX) as other, ThreadPoolExecutor(1) as threads:
        other.bind(f"\0nabu-{name}")
        other.listen()
        answer = threads.submit(hand_over, name, BY, MAIL)
        connection, _ = other.accept()
        assert connection.makefile("rb").read(1) == b"{"
        connection.close()
        assert answer.result() is None


def test_email_of_a_pipe_that_gave_up_is_not_stored(name: str) -> None:
    """The pipe stores it itself."""
    storing, may_store = threading.Event(), threading.Event()
    found: list[Received] = []

    def store(batch: Sequence[Received]) -> None:
        storing.set()
        may_store.wait()
        found.extend(batch)

    with taking(name, store), ThreadPoolExecutor(1) as threads:
        await_that(lambda: listens(name))
        answer = threads.submit(hand_over, name, BY, MAIL)
        storing.wait()
        with socket.socket(socket.AF_UNIX) as connection:
            sent_by_hand(connection, name)
        may_store.set()
        assert answer.result() is Exit.OK
        assert hand_over(name, BY, MAIL) is Exit.OK
    assert len(found) == 2


def test_mail_process_takes_no_email_from_other_users(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Received] = []
    code = b""
    with taking(name, found.extend):
        await_that(lambda: listens(name))
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        with socket.socket(socket.AF_UNIX) as connection, suppress(ConnectionError):
            sent_by_hand(connection, name)
            code = connection.recv(1)
    assert (code, found) == (b"", [])


def test_pipe_sends_no_email_to_other_users(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with socket.socket(socket.AF_UNIX) as other, ThreadPoolExecutor(1) as threads:
        other.bind(f"\0nabu-{name}")
        other.listen()
        answer = threads.submit(hand_over, name, BY, MAIL)
        connection, _ = other.accept()
        with connection:
            assert connection.recv(1) == b""
        assert answer.result() is None


def test_second_process_warns_and_waits_for_the_end_of_the_first(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(handover, "_AGAIN", 0.02)
    first: list[Received] = []
    second: list[Received] = []
    with ExitStack() as ending:
        ending.enter_context(taking(name, first.extend))
        await_that(lambda: listens(name))
        with taking(name, second.extend):
            await_that(lambda: "another process has the socket" in caplog.text)
            assert hand_over(name, BY, MAIL) is Exit.OK
            assert (len(first), len(second)) == (1, 0)
            ending.close()
            await_that(lambda: hand_over(name, BY, MAIL) is Exit.OK)
            assert len(second) == 1
    assert caplog.text.count("another process") == 1

"""The mail process handles emails and stores new ones in turn; at its end it releases emails for others."""

from __future__ import annotations

import threading
import time

import pytest
from sqlmodel import select

from mail.incoming.receiving import Received
from server.processes import mail_process
from server.processes.mail_process import Mailroom
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Inbox

pytestmark = pytest.mark.both

_MAILS = 600


def _states(services: Services) -> list[tuple[str, int]]:
    with reading(services.engine) as session:
        return list(session.exec(select(Inbox.state, Inbox.attempts)))


def _store(services: Services, count: int) -> None:
    to = "postmaster@games.example.org"
    mails = [
        Received("smtp", "127.0.0.1", "ann@example.org", (to,), f"Message-ID: <{n}@x>\n\nx\n".encode())
        for n in range(count)
    ]
    services.reception().store(mails)


def test_stopped_process_releases_the_next_email(services: Services) -> None:
    _store(services, _MAILS)
    room = Mailroom(services)
    room.start()
    while _states(services).count(("new", 0)) > _MAILS - 3:
        time.sleep(0.001)
    room.stop()
    states = _states(services)
    assert {state for state, _ in states} == {"new", "quarantined"}
    assert {attempts for _, attempts in states} == {0}


@pytest.mark.parametrize(("seconds", "handled"), [(0.0, 1), (600.0, 5)])
def test_new_emails_are_stored_after_others_were_handled_for_a_moment(
    services: Services, monkeypatch: pytest.MonkeyPatch, seconds: float, handled: int
) -> None:
    monkeypatch.setattr(mail_process, "_STORE_EVERY", seconds)
    _store(services, 5)
    room, waits = Mailroom(services), threading.Event()
    room._executor.submit(waits.wait)
    room._begin_to_handle()
    states = room._executor.submit(_states, services)  # in place of storing
    waits.set()
    assert [state for state, _ in states.result()].count("quarantined") == handled
    room.stop()

"""The end of the mail process: it releases all emails for others."""

from __future__ import annotations

import time

import pytest
from sqlmodel import select

from mail.incoming.receiving import Received
from server.processes.mail_process import Mailroom
from server.processes.services import Services
from server.store import inbox
from server.store.db import reading, writing
from server.store.models import Inbox

pytestmark = pytest.mark.both

_MAILS = 600


def _states(services: Services) -> list[tuple[str, int]]:
    with reading(services.engine) as session:
        return list(session.exec(select(Inbox.state, Inbox.attempts)))


def test_stopped_process_releases_the_next_email(services: Services) -> None:
    to = "postmaster@games.example.org"
    mails = [
        Received("smtp", "127.0.0.1", "ann@example.org", (to,), f"Message-ID: <{n}@x>\n\nx\n".encode())
        for n in range(_MAILS)
    ]
    with writing(services.engine) as session:
        inbox.store(session, services.sealer, services.tokens, services.now(), mails)
    room = Mailroom(services)
    room.start()
    while _states(services).count(("new", 0)) > _MAILS - 3:
        time.sleep(0.001)
    room.stop()
    states = _states(services)
    assert {state for state, _ in states} == {"new", "quarantined"}
    assert {attempts for _, attempts in states} == {0}

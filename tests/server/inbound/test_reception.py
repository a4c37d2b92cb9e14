"""Emails are stored before they are acknowledged, and one to many addresses costs little more than to one."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from sqlmodel import select

from mail.incoming.receiving import Received
from mail.incoming.replies import MAX_RECIPIENTS
from server.processes.services import Services
from server.settings import Settings
from server.store.db import reading, writing
from server.store.engines import connect
from server.store.keys.sealing import Sealer
from server.store.models import Inbox
from server.store.tokens import ReplyToken

pytestmark = pytest.mark.both

MAIL = Received(
    "smtp",
    "192.0.2.1",
    "ann@example.org",
    ("play@games.example.org",),
    b"Message-ID: <1@example.org>\n\ngames\n",
)


def recipients(services: Services) -> list[str]:
    """Return a column of the stored emails, in their order."""
    with reading(services.engine) as session:
        return list(session.exec(select(Inbox.recipient).order_by(Inbox.id)))  # type: ignore[arg-type]


def reply_addresses(services: Services, number: int) -> list[str]:
    """Return reply addresses of many turns, as a player collects them over time."""
    tokens = (services.tokens.write(ReplyToken(game=1, seat=0, turn=turn)) for turn in range(number))
    return [f"play+{token}@games.example.org" for token in tokens]


def test_case_of_the_domain_does_not_matter(services: Services) -> None:
    settings = Settings(secret_key="k" * 32, mail_domain="Games.Example.org")
    reception = replace(services, settings=settings).reception()
    assert reception.accepts("postmaster@games.example.org") is None
    assert reception.accepts("play@GAMES.example.org") is None


def test_repeated_recipient_counts_once(services: Services) -> None:
    again = ("play@games.example.org", "PLAY@games.example.org", "play+@games.example.org")
    services.reception().store([replace(MAIL, recipients=again * 30)])
    assert recipients(services) == ["play@games.example.org"]


def test_addresses_known_to_strangers_are_stored_once(services: Services) -> None:
    bounces = [f"play+bounces-{number:024x}@games.example.org" for number in range(40)]
    administrators = ["postmaster@games.example.org", "abuse@games.example.org", "abuse+x@games.example.org"]
    services.reception().store([replace(MAIL, recipients=(*bounces, *administrators, *MAIL.recipients))])
    assert recipients(services) == [bounces[0], administrators[0], *MAIL.recipients]


def test_email_is_stored_for_a_limited_number_of_addresses(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    addresses = reply_addresses(services, MAX_RECIPIENTS + 1)
    services.reception().store([replace(MAIL, recipients=tuple(addresses))])
    assert recipients(services) == addresses[:-1]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_email_is_encrypted_once_outside_of_the_transaction(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal, sealed = Sealer.seal, []
    others = connect(services.settings.database_url, patience=0)

    def seal_while_others_write(sealer: Sealer, content: bytes) -> bytes:
        with writing(others):
            sealed.append(content)
        return seal(sealer, content)

    monkeypatch.setattr(Sealer, "seal", seal_while_others_write)
    addresses = reply_addresses(services, MAX_RECIPIENTS)
    services.reception().store([replace(MAIL, recipients=tuple(addresses))])
    others.dispose()
    assert sealed == [MAIL.content]
    assert recipients(services) == addresses


def test_large_emails_are_stored_one_at_a_time(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.inbound.reception._AT_ONCE", 1000)
    stored: list[int] = []
    seal = Sealer.seal

    def look(sealer: Sealer, content: bytes) -> bytes:
        stored.append(len(recipients(services)))
        return seal(sealer, content)

    monkeypatch.setattr(Sealer, "seal", look)
    mails = [
        replace(MAIL, content=b"%d\n\n" % number + b"x" * size) for number, size in enumerate((10, 10, 2000))
    ]
    services.reception().store(mails)
    assert stored == [0, 0, 2]
    assert len(recipients(services)) == len(mails)

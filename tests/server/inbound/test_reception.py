"""Mails are stored before anybody is told so, and a mail to many addresses costs little more than one."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from sqlmodel import select

from mail.incoming.receiving import Received
from mail.incoming.sessions import MAX_RECIPIENTS
from server.processes.services import Office
from server.settings import Settings
from server.store.db import connect, reading, writing
from server.store.models import Inbox
from server.store.sealing import Vault
from server.store.tokens import ReplyToken

MAIL = Received(
    "smtp",
    "192.0.2.1",
    "ann@example.org",
    ("play@games.example.org",),
    b"Message-ID: <1@example.org>\n\ngames\n",
)


def recipients(office: Office) -> list[str]:
    """Of the mails that are stored, in their order."""
    with reading(office.engine) as session:
        return list(session.exec(select(Inbox.recipient).order_by(Inbox.id)))  # type: ignore[arg-type]


def reply_addresses(office: Office, number: int) -> list[str]:
    """Addresses of turns, as a player gathers them in time."""
    tokens = (office.tokens.write(ReplyToken(game=1, seat=0, turn=turn)) for turn in range(number))
    return [f"play+{token}@games.example.org" for token in tokens]


def test_the_case_of_the_domain_does_not_matter(office: Office) -> None:
    settings = Settings(secret_key="k" * 32, mail_domain="Games.Example.org")
    reception = replace(office, settings=settings).reception()
    assert reception.accepts("postmaster@games.example.org") is None
    assert reception.accepts("play@GAMES.example.org") is None


def test_one_address_named_again_and_again_is_one_mail(office: Office) -> None:
    again = ("play@games.example.org", "PLAY@games.example.org", "play+@games.example.org")
    office.reception().store([replace(MAIL, recipients=again * 30)])
    assert recipients(office) == ["play@games.example.org"]


def test_what_strangers_can_address_is_stored_once_of_a_sort(office: Office) -> None:
    bounces = [f"play+bounces-{number:024x}@games.example.org" for number in range(40)]
    operators = ["postmaster@games.example.org", "abuse@games.example.org", "abuse+x@games.example.org"]
    office.reception().store([replace(MAIL, recipients=(*bounces, *operators, *MAIL.recipients))])
    assert recipients(office) == [bounces[0], operators[0], *MAIL.recipients]


def test_a_mail_is_stored_for_so_many_addresses_at_most(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    addresses = reply_addresses(office, MAX_RECIPIENTS + 1)
    office.reception().store([replace(MAIL, recipients=tuple(addresses))])
    assert recipients(office) == addresses[:-1]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_a_mail_is_sealed_once_and_keeps_nobody_from_writing_meanwhile(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal, sealed = Vault.seal, []
    others = connect(office.settings.database_url, patience=0)

    def seal_while_others_write(vault: Vault, content: bytes) -> bytes:
        with writing(others):
            sealed.append(content)
        return seal(vault, content)

    monkeypatch.setattr(Vault, "seal", seal_while_others_write)
    addresses = reply_addresses(office, MAX_RECIPIENTS)
    office.reception().store([replace(MAIL, recipients=tuple(addresses))])
    others.dispose()
    assert sealed == [MAIL.content]
    assert recipients(office) == addresses


def test_large_mails_keep_others_from_writing_for_one_at_a_time(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.reception._AT_ONCE", 1000)
    stored: list[int] = []
    seal = Vault.seal

    def look(vault: Vault, content: bytes) -> bytes:
        stored.append(len(recipients(office)))
        return seal(vault, content)

    monkeypatch.setattr(Vault, "seal", look)
    mails = [
        replace(MAIL, content=b"%d\n\n" % number + b"x" * size) for number, size in enumerate((10, 10, 2000))
    ]
    office.reception().store(mails)
    assert stored == [0, 0, 2]
    assert len(recipients(office)) == len(mails)

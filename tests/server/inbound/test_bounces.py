"""Only what proves that a mail of ours came back stops a player's mail, and each mail comes back once."""

from __future__ import annotations

from itertools import count

import pytest
from sqlmodel import col, select

from mail.incoming.receiving import Received
from server.accounts import bounces, players
from server.outbound import relaying
from server.processes.services import Office
from server.store import inbox
from server.store.db import reading, writing
from server.store.models import Inbox, Outbox, Player
from server.store.outbox import Post
from tests.mail.reading.test_reports import report as complaint
from tests.offices import Clock
from tests.server.inbound.test_complaints import path
from tests.server.outbound.test_bad_relays import on_sqlite

_number = count(1)
PLAIN = "play@games.example.org"


@pytest.fixture
def ann(office: Office) -> str:
    """The address of a player."""
    with writing(office.engine) as session:
        return players.register(Post(session, office.vault, office.now()), "ann@example.org", "Ann").email


def mail_to(office: Office, address: str) -> str:
    """Send a mail to a player; its key."""
    with writing(office.engine) as session:
        player = players.by_email(session, address)
        assert player is not None
        Post(session, office.vault, office.now()).put_to_player(player, "welcome", name=player.name)
        query = select(Outbox).where(Outbox.recipient == address).order_by(col(Outbox.id).desc())
        mail = session.exec(query).first()
        assert mail is not None
        mail.state, mail.sent_at, mail.attempts = "sent", office.now(), 1
        return mail.key


def bounce(address: str, key: str = "", status: str = "5.1.1", action: str = "failed") -> bytes:
    """What a mail server reports about a mail with this key, or about none."""
    original = f"Message-ID: <{key}@games.example.org>\r\n" if key else ""
    return (
        f"From: MAILER-DAEMON@mx.example.org\r\nMessage-ID: <{next(_number)}@mx.example.org>\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: {action}\r\nStatus: {status}\r\n"
        f"Diagnostic-Code: smtp; 550 {status} <{address}>: no\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\n{original}\r\n--b--\r\n"
    ).encode()


def receive(office: Office, raw: bytes, recipient: str = PLAIN) -> str:
    """What is said of a mail that comes in without a return path."""
    with writing(office.engine) as session:
        mail = Received("smtp", "192.0.2.1", "", (recipient,), raw)
        inbox.store(session, office.vault, office.tokens, office.now(), [mail])
    assert office.pipeline().handle_next(office.now())
    with reading(office.engine) as session:
        return session.exec(select(Inbox.why).order_by(col(Inbox.id).desc()).limit(1)).one()


def player(office: Office, address: str) -> Player:
    with reading(office.engine) as session:
        return session.exec(select(Player).where(Player.email == address)).one()


@pytest.mark.parametrize("status", ["5.1.1", "5.0.0", "4.2.2"])
def test_forged_bounces_suspend_nobody(office: Office, clock: Clock, ann: str, status: str) -> None:
    mail_to(office, ann)
    for guess in ("", "0" * 24, "0123456789ab"):
        for at in (PLAIN, "play+bounces-0123456789abcdef01234567@games.example.org"):
            assert receive(office, bounce(ann, guess, status), at) == "bounce: about no mail of ours"
            clock.advance(days=1)
    assert player(office, ann).bounced_at is None


def test_a_mail_comes_back_once_however_often_that_is_reported(office: Office, clock: Clock, ann: str) -> None:
    key = mail_to(office, ann)
    for _ in range(bounces.SUSPENDED_AT + 1):
        receive(office, bounce(ann, key, "4.2.2"), path(office, key))
        receive(office, bounce(ann, key))
        clock.advance(days=1)
    assert (player(office, ann).suspended_at, player(office, ann).bounce_score) == (None, bounces.SOFT)


def test_two_mails_that_come_back_an_hour_apart_suspend(office: Office, clock: Clock, ann: str) -> None:
    keys = [mail_to(office, ann) for _ in range(3)]
    receive(office, bounce(ann, keys[0]))
    clock.advance(minutes=59)
    receive(office, bounce(ann, keys[1]))
    assert player(office, ann).suspended_at is None
    clock.advance(minutes=1)
    assert receive(office, bounce(ann, keys[2])) == "bounce: noted by the mail that came back"
    assert player(office, ann).suspended_at == clock()


def test_a_mail_that_is_late_has_not_come_back(office: Office, ann: str) -> None:
    key = mail_to(office, ann)
    assert "still under way" in receive(office, bounce(ann, key, "4.4.1", "delayed"))
    assert player(office, ann).bounced_at is None
    receive(office, bounce(ann, key, "4.4.1"))
    assert player(office, ann).bounced_at is not None


@on_sqlite
@pytest.mark.parametrize("status", ["5.1.1", "5.0.0"])
def test_a_provider_that_sends_all_mail_back_suspends_nobody(office: Office, clock: Clock, status: str) -> None:
    addresses = [f"{name}@{name}.example" for name in ("ann", "ben", "cid", "dan", "eve")]
    with writing(office.engine) as session:
        for address in addresses:
            players.register(Post(session, office.vault, office.now()), address, address[:3])
    for _ in range(10):
        keys = [mail_to(office, address) for address in addresses]
        for address, key in zip(addresses, keys, strict=True):
            receive(office, bounce(address, key, status))
        clock.advance(hours=1)
    assert [player(office, address).suspended_at for address in addresses] == [None] * 5
    with reading(office.engine) as session:
        assert relaying.trouble(session) is not None


def test_a_complaint_counts_once(office: Office, ann: str) -> None:
    key = mail_to(office, ann)
    raw = complaint("Feedback-Type: abuse\n", f"Return-Path: <{path(office, key)}>\n\n")
    receive(office, raw)
    assert player(office, ann).mail_stopped
    with writing(office.engine) as session:
        session.exec(select(Player)).one().mail_stopped = False
    assert receive(office, b"X-Again: 1\r\n" + raw) == "complaint: about this mail there was one before"
    assert not player(office, ann).mail_stopped

"""Only a proved bounce counts against a player's address, and each email is returned only once."""

from __future__ import annotations

import pytest
from sqlmodel import col, select

from server.accounts import bounces, players
from server.outbound import relay_health
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.letters.account import Welcome
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext
from tests.support.mail.bounces import bounce, receive_report, return_path
from tests.support.mail.bounces import report as complaint
from tests.support.server.emails import PLAY
from tests.support.server.services import Clock


@pytest.fixture
def ann(services: Services) -> str:
    """Return the address of a player."""
    with writing(services.engine) as session:
        return players.register(
            ActionContext(session, services.sealer, services.now()), "ann@example.org", "Ann"
        ).email


def mail_to(services: Services, address: str) -> str:
    """Send an email to a player; return its key."""
    with writing(services.engine) as session:
        player = players.by_email(session, address)
        assert player is not None
        ActionContext(session, services.sealer, services.now()).put_to_player(player, Welcome(player.name))
        query = select(Outbox).where(Outbox.recipient == address).order_by(col(Outbox.id).desc())
        mail = session.exec(query).first()
        assert mail is not None
        mail.state, mail.sent_at, mail.attempts = "sent", services.now(), 1
        return mail.key


def player(services: Services, address: str) -> Player:
    with reading(services.engine) as session:
        return session.exec(select(Player).where(Player.email == address)).one()


@pytest.mark.parametrize("status", ["5.1.1", "5.0.0", "4.2.2"])
def test_forged_bounces_do_not_stop_email(services: Services, clock: Clock, ann: str, status: str) -> None:
    mail_to(services, ann)
    for guess in ("", "0" * 24, "0123456789ab"):
        for at in (PLAY, "play+bounces-0123456789abcdef01234567@games.example.org"):
            assert (
                receive_report(services, bounce(ann, guess, status), at)
                == "bounce: not about an email from Nabu"
            )
            clock.advance(days=1)
    assert player(services, ann).bounced_at is None


def test_repeated_bounce_of_an_email_counts_once(services: Services, clock: Clock, ann: str) -> None:
    key = mail_to(services, ann)
    for _ in range(bounces.SUSPENDED_AT + 1):
        receive_report(services, bounce(ann, key, "4.2.2"), return_path(services, key))
        receive_report(services, bounce(ann, key))
        clock.advance(days=1)
    assert (player(services, ann).suspended_at, player(services, ann).bounce_score) == (None, bounces.SOFT)


def test_message_id_alone_stops_no_email(services: Services, clock: Clock, ann: str) -> None:
    """Opponents and recipients of a copy know the Message-ID; only refusing servers know the return path."""
    for _ in range(bounces.SUSPENDED_AT + 1):
        key = mail_to(services, ann)
        assert receive_report(services, bounce(ann, key)) == f"bounce: not proved, about the email to {ann}"
        clock.advance(days=1)
    assert (player(services, ann).bounced_at, player(services, ann).bounce_score) == (None, 0)
    assert receive_report(services, bounce(ann, key), return_path(services, key)) == "bounce: noted"


def test_two_bounces_an_hour_apart_stop_email(services: Services, clock: Clock, ann: str) -> None:
    keys = [mail_to(services, ann) for _ in range(3)]
    receive_report(services, bounce(ann), return_path(services, keys[0]))
    clock.advance(minutes=59)
    receive_report(services, bounce(ann), return_path(services, keys[1]))
    assert player(services, ann).suspended_at is None
    clock.advance(minutes=1)
    quoted = f"rfc822-headers\r\n\r\nReturn-Path: <{return_path(services, keys[2])}>\r\n".encode()
    report = bounce(ann, keys[2]).replace(b"rfc822-headers\r\n\r\n", quoted)
    assert receive_report(services, report) == "bounce: noted"
    assert player(services, ann).suspended_at == clock()


@pytest.mark.both
def test_delay_report_is_no_bounce(services: Services, ann: str) -> None:
    key = mail_to(services, ann)
    at = return_path(services, key)
    assert "still being delivered" in receive_report(services, bounce(ann, key, "4.4.1", "delayed"), at)
    assert player(services, ann).bounced_at is None
    receive_report(services, bounce(ann, key, "4.4.1"), at)
    assert player(services, ann).bounced_at is not None


@pytest.mark.slow
@pytest.mark.parametrize("status", ["5.1.1", "5.0.0"])
def test_bounces_of_a_whole_provider_stop_no_players_email(
    services: Services, clock: Clock, status: str
) -> None:
    addresses = [f"{name}@{name}.example" for name in ("ann", "ben", "cid", "dan", "eve")]
    with writing(services.engine) as session:
        for address in addresses:
            players.register(ActionContext(session, services.sealer, services.now()), address, address[:3])
    for _ in range(10):
        keys = [mail_to(services, address) for address in addresses]
        for address, key in zip(addresses, keys, strict=True):
            receive_report(services, bounce(address, key, status), return_path(services, key))
        clock.advance(hours=1)
    assert [player(services, address).suspended_at for address in addresses] == [None] * 5
    with reading(services.engine) as session:
        assert relay_health.failure(session) is not None


def test_complaint_counts_once(services: Services, ann: str) -> None:
    key = mail_to(services, ann)
    raw = complaint("Feedback-Type: abuse\n", f"Return-Path: <{return_path(services, key)}>\n\n")
    receive_report(services, raw)
    assert player(services, ann).mail_stopped
    with writing(services.engine) as session:
        session.exec(select(Player)).one().mail_stopped = False
    assert (
        receive_report(services, b"X-Again: 1\r\n" + raw) == "complaint: this email was complained about before"
    )
    assert not player(services, ann).mail_stopped

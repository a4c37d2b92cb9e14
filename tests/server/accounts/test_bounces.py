"""Email to bouncing addresses is suspended; an email from them ends that."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import select

from server.accounts import bounces, players
from server.processes.services import Services
from server.store.db import writing
from server.store.letters.account import Welcome
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext
from tests.support.server.services import Clock


@pytest.fixture
def ann(services: Services) -> int:
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        return players.identity(players.register(action, "ann@example.org", "Ann"))


def bounce(services: Services, number: int, *, hard: bool) -> bool:
    """Record a bounce of a player; return whether email to them is suspended."""
    with writing(services.engine) as session:
        player = session.get_one(Player, number)
        bounces.bounced(session, services.now(), player, hard=hard)
        return player.suspended_at is not None


def test_one_hard_bounce_stops_emails(services: Services, ann: int) -> None:
    assert bounce(services, ann, hard=True)


def test_soft_bounces_on_several_days_stop_emails(services: Services, ann: int, clock: Clock) -> None:
    suspended = []
    for _ in range(bounces.SUSPENDED_AT):
        suspended.append(bounce(services, ann, hard=False))
        clock.advance(days=1)
    assert suspended == [False] * (bounces.SUSPENDED_AT - 1) + [True]


def test_soft_bounces_of_one_day_count_once(services: Services, ann: int) -> None:
    assert not any(bounce(services, ann, hard=False) for _ in range(20))


def test_bounces_far_apart_do_not_add_up(services: Services, ann: int, clock: Clock) -> None:
    for _ in range(20):
        assert not bounce(services, ann, hard=False)
        clock.time += bounces.WINDOW + timedelta(days=1)


@pytest.mark.both
def test_no_email_goes_to_a_stopped_address_until_its_player_writes(services: Services, ann: int) -> None:
    bounce(services, ann, hard=True)
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        player = session.get_one(Player, ann)
        before = len(list(session.exec(select(Outbox))))
        action.put_to_player(player, Welcome("Ann"))
        assert len(list(session.exec(select(Outbox)))) == before
        bounces.heard_from(action, player, Welcome("Ben"))
        assert (player.suspended_at, player.bounce_score, player.bounced_at) == (None, 0, None)
        letters = [mail.letter for mail in session.exec(select(Outbox).order_by(Outbox.id))]  # type: ignore[arg-type]
        assert letters[-1] == "welcome"

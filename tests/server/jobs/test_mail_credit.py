"""Time given back for emails that do not arrive: once, and never enough to be worth abusing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlmodel import col, select, update

from server.store.db import writing
from server.store.models import Outbox, Player
from tests.support.server.games import TwoPlayerGame

pytestmark = pytest.mark.game("nebuchadnezzar", size=5, time="3d", grace="0h")

LATE = timedelta(days=10, minutes=-10)
"""Shortly before the deadline of a player with three days for a move and a gift of a week."""


def suspend(table: TwoPlayerGame, *, again: bool) -> None:
    """Stop the first player's emails because of bounces; with `again`, after they have written."""
    with writing(table.services.engine) as session:
        player = session.get_one(Player, table.players[0].id)
        if again or player.suspended_at is None:
            player.suspended_at = table.clock()


def outlast(table: TwoPlayerGame, span: timedelta) -> bool:
    """Let time pass in steps; return whether the game is still running."""
    end = table.clock() + span
    while table.clock() < end and table.game().state == "running":
        table.live(hours=min(12.0, (end - table.clock()).total_seconds() / 3600))
    return table.game().state == "running"


def take_turns(table: TwoPlayerGame, first: str, second: str) -> None:
    table.submit(0, first)
    table.submit(1, second)


@pytest.mark.parametrize("again", [False, True])
def test_bounced_emails_gain_at_most_a_week_in_thirty_days(table: TwoPlayerGame, again: bool) -> None:
    suspend(table, again=again)
    assert outlast(table, LATE), "they are given a week once"
    take_turns(table, "c3", "a1")
    suspend(table, again=again)
    assert not outlast(table, LATE)
    assert table.game().result == {"winners": [1], "reason": "timeout"}
    assert len(table.entries("credit")) == 1


@pytest.mark.parametrize("state", ["queued", "failed"])
def test_refused_emails_gain_at_most_a_week_in_thirty_days(table: TwoPlayerGame, state: str) -> None:
    """A mail server that defers emails whenever its owner wants."""

    def refuse() -> None:
        with writing(table.services.engine) as session:
            theirs = select(Outbox.id).where(Outbox.recipient == table.players[0].email)
            session.execute(
                update(Outbox)
                .where(col(Outbox.id).in_(theirs))
                .values(state=state, sent_at=None, refusal="450 later")
            )

    table.deliver = refuse  # type: ignore[method-assign]
    assert outlast(table, LATE)
    take_turns(table, "c3", "a1")
    assert not outlast(table, LATE)

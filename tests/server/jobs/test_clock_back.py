"""A wall clock that was ahead for days is set back: nothing waits for the old time."""

from __future__ import annotations

import re
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update
from sqlmodel import SQLModel, col, select

from server.clock.pauses import Why
from server.game.clock import deadlines
from server.game.log import log
from server.game.preferences import preferences
from server.jobs import clock_set_back, downtime
from server.jobs.table import CLOCK
from server.outbound.letters.help import HelpAccount
from server.processes.services import Services
from server.processes.worker import Worker
from server.store.db import reading, writing
from server.store.letters.letter import Answers
from server.store.models import Failure, Game, GameMessage, Gift, Inbox, Outbox, Pause, Player, Seat
from server.store.outbox import ActionContext
from tests.support.counting import statements
from tests.support.server.emails import receive
from tests.support.server.games import begin, submit
from tests.support.server.jobs import work_of
from tests.support.server.services import Clock

AHEAD = pytest.mark.parametrize("ahead", [timedelta(hours=3), timedelta(days=10)])
MINUTES = timedelta(minutes=10)


def tick(services: Services, clock: Clock) -> None:
    CLOCK.run(work_of(services, clock))


def due(services: Services) -> set[datetime]:
    """Return the due times of waiting rows."""
    with reading(services.engine) as session:
        mails = session.exec(select(Outbox.due_at).where(Outbox.state == "queued"))
        coming = session.exec(select(Inbox.due_at).where(Inbox.state == "new"))
        return {*mails, *coming, *session.exec(select(Failure.due_at))}


@AHEAD
def test_work_due_in_the_future_is_done_now(
    services: Services, clock: Clock, ann: Player, ahead: timedelta
) -> None:
    tick(services, clock)
    clock.time += ahead
    tick(services, clock)
    receive(services, ann.email, "play@games.example.org", "help")
    with writing(services.engine) as session:
        row = session.exec(select(Inbox)).one()
        row.state, row.due_at = "new", clock() + MINUTES
        session.add(Failure(job="x", player_id=ann.id, what="x", since=clock(), due_at=clock()))
    clock.time -= ahead
    tick(services, clock)
    assert all(moment <= clock() + MINUTES for moment in due(services))
    with writing(services.engine) as session:
        session.delete(session.exec(select(Failure)).one())
        action = ActionContext(session, services.sealer, clock() + timedelta(days=1))
        assert action.recent(ann.email, Answers, timedelta(hours=23)) == 0, "limits by day"
        sent = session.exec(select(Outbox.sent_at, Outbox.created_at)).all()
        assert all(moment is None or moment <= clock() for moments in sent for moment in moments)


_AS_SOON_AS_POSSIBLE = (
    Game.count_due_at,
    Game.news_at,
    Game.next_due_at,
    Game.offer_due_at,
    Game.tournament_due_at,
    Seat.thinking_until,
)


@AHEAD
@pytest.mark.parametrize("moment", _AS_SOON_AS_POSSIBLE, ids=str)
def test_immediate_work_is_not_delayed(
    services: Services, clock: Clock, ann: Player, ben: Player, ahead: timedelta, moment: Any
) -> None:
    number = begin(services, "nibble", ann, ben)
    tick(services, clock)
    clock.time += ahead
    downtime.beat(services.engine, clock())
    with writing(services.engine) as session:
        session.execute(update(moment.class_).values({moment.key: clock()}))
    clock.time -= ahead
    downtime.beat(services.engine, clock())
    with reading(services.engine) as session:
        which = Game.id if moment.class_ is Game else Seat.game_id
        assert set(session.exec(select(moment).where(which == number))) == {clock()}


_STAYS = {
    "announcement.until": "all players were notified",
    "ban.until": "the player was notified",
    "change.due_at": "the player was notified",
    "seat.grace_until": "it is recomputed, with the deadline",
}
"""The times in the future that stay unchanged, and the reasons."""


def test_every_column_with_a_due_time_is_corrected(services: Services, clock: Clock) -> None:
    with writing(services.engine) as session, statements(services) as asked:
        clock_set_back.make_everything_due(session, clock())
        clock_set_back.correct_future_times(session, clock())
    changed = {
        f"{table}.{column}" for table, column in re.findall(r"UPDATE (\w+) SET (\w+)=", "\n".join(asked))
    }
    due = {
        f"{table.name}.{column.name}"
        for table in SQLModel.metadata.sorted_tables
        for column in table.columns
        if column.name.endswith(("due_at", "until"))
    }
    assert due - changed == _STAYS.keys()


@pytest.mark.both
def test_deadlines_reminders_and_delays_are_corrected(
    services: Services, clock: Clock, ann: Player, ben: Player
) -> None:
    island = begin(services, "nelaxtam", ann, ben, size=10, troops=1, sea=0, delay="30m")
    city = begin(services, "nebuchadnezzar", ann, ben, size=5, time="4d")
    tick(services, clock)
    clock.advance(days=10)
    tick(services, clock)
    submit(services, city, 0, "c3")
    for seat, orders in enumerate(("1 d4", "A c4")):
        submit(services, island, seat, orders)
    with writing(services.engine) as session:
        for player in session.exec(select(Player)):
            player.reminded_at, player.digest_at = clock(), clock() + timedelta(hours=9)
    clock.advance(days=-10)
    tick(services, clock)
    with reading(services.engine) as session:
        game, owing = session.get_one(Game, city), session.get_one(Seat, (city, 1))
        assert owing.deadline_at is not None
        assert owing.deadline_at <= clock() + timedelta(days=4)
        assert game.stale_at is not None
        assert game.stale_at <= clock() + timedelta(days=30)
        resolved = session.get_one(Game, island)
        assert resolved.resolve_at == clock() + timedelta(minutes=30)
        for player in session.exec(select(Player).where(col(Player.reminded_at).is_not(None))):
            assert player.reminded_at is not None
            assert player.reminded_at <= clock()
            assert player.digest_at is None or player.digest_at <= clock() + timedelta(days=1)


def test_chosen_periods_keep_their_length(services: Services, clock: Clock, ann: Player, ben: Player) -> None:
    """Mutes, vacations and gifts of the time that is now in the future."""
    city = begin(services, "nebuchadnezzar", ann, ben, size=5, time="4d")
    tick(services, clock)
    clock.advance(days=100)
    tick(services, clock)
    submit(services, city, 0, "c3")
    with writing(services.engine) as session:
        action, game = ActionContext(session, services.sealer, clock()), session.get_one(Game, city)
        (waiting, waits), (owing, owes) = log.seats(session, game)
        preferences.mute(action, game, waiting, waits, "20d")
        preferences.take_vacation(action, owes, "5d")
        deadlines.give(session, game, owing, owes, "1d", clock())
        for told in session.exec(select(Seat)):
            told.deferred_since = clock()
        session.add(GameMessage(game_id=city, turn=1, seat=0, sealed=b"", said_at=clock()))
        session.get_one(Player, ann.id).suspended_at = clock()
    clock.advance(days=-100)
    tick(services, clock)
    tick(services, clock)
    with reading(services.engine) as session:
        muted, owing = (session.get_one(Seat, (city, seat)) for seat in (0, 1))
        assert muted.muted_until is not None
        assert muted.muted_until <= clock() + timedelta(days=30)
        [vacation] = session.exec(select(Pause).where(Pause.why == Why.VACATION))
        assert (vacation.start_at, vacation.end_at) == (clock(), clock() + timedelta(days=5))
        assert owing.deadline_at == clock() + timedelta(days=4 + 5 + 1)
        for moment in (
            Pause.said_at,
            Gift.said_at,
            GameMessage.said_at,
            Seat.deferred_since,
            Player.suspended_at,
        ):
            assert all(found <= clock() for found in session.exec(select(moment)) if found is not None), moment


def test_small_step_back_is_ignored(services: Services, clock: Clock, ann: Player) -> None:
    tick(services, clock)
    with writing(services.engine) as session:
        ActionContext(session, services.sealer, clock()).put(ann.email, HelpAccount())
        session.exec(select(Outbox).where(Outbox.letter == "help_account")).one().due_at = clock() + timedelta(
            hours=4
        )
    before = due(services)
    clock.advance(minutes=-4)
    tick(services, clock)
    assert due(services) == before


def test_scheduler_continues_after_the_clock_is_set_back(services: Services) -> None:
    """The scheduler uses the wall clock: after it is set back, it would wait for days."""
    worker = Worker(services)
    rung = threading.Event()
    worker._schedule("test", 0.25, rung.set)
    worker.start()
    try:
        assert rung.wait(60)
        job = worker._scheduler.get_job("test")
        job.modify(next_run_time=datetime.now(UTC) + timedelta(days=10))
        rung.clear()
        rung.wait(0.5)  # one may just be running
        rung.clear()
        assert rung.wait(60)
    finally:
        worker.stop()

"""Time that the server gives back: outages, failed email, and clocks that jump."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock.deadline_arithmetic import AFTER_OUTAGE, Event, Owed, deadline, grace_until
from server.clock.pauses import (
    MONTH,
    MOST_FOR_MAIL,
    GivenTime,
    PausedTime,
    Why,
    credited,
    failed_mail,
    outage,
    was_far_ahead,
)
from server.clock.spans import DAY, HOUR, MINUTE
from tests.support.examples import examples
from tests.support.server.time_controls import BEGAN, due, moments, moves, owed, spans, vacation, when
from tests.support.server.time_controls import outage as known_outage

# Heartbeats


@pytest.mark.parametrize(
    ("last", "now", "down"),
    [
        (None, "2026-03-02 12:00", False),
        ("2026-03-02 12:00", "2026-03-02 12:01", False),
        ("2026-03-02 12:00", "2026-03-02 12:05", False),
        ("2026-03-02 12:00", "2026-03-02 12:05:01", True),
        ("2026-03-02 12:00", "2026-03-04 12:00", True),
        # A clock that went back.
        ("2026-03-02 12:00", "2026-03-02 06:00", False),
    ],
)
def test_missing_heartbeats_are_an_outage(last: str | None, now: str, down: bool) -> None:
    beat = when(last) if last else None
    expected = PausedTime(when(last), when(now), when(now), Why.OUTAGE) if down and last else None
    assert outage(beat, when(now)) == expected


@pytest.mark.parametrize(
    ("last", "now", "back"),
    [
        (None, "2026-03-02 12:00", False),
        ("2026-03-02 12:00", "2026-03-02 18:00", False),
        # A leap second, and a clock that was put back by hours.
        ("2026-03-02 12:00:01", "2026-03-02 12:00:00", False),
        ("2026-03-02 12:00", "2026-03-01 12:00", False),
        ("2026-03-02 12:00", "2026-03-01 11:59", True),
    ],
)
def test_clock_put_back_by_more_than_a_day_was_far_ahead(last: str | None, now: str, back: bool) -> None:
    assert was_far_ahead(when(last) if last else None, when(now)) is back


# Outages and deadlines


@pytest.mark.parametrize(
    ("facts", "moment"),
    [
        # The lost time is given back.
        ([known_outage("2026-03-03 00:00", "2026-03-03 06:00")], "2026-03-05 18:00"),
        # And there is a day at least.
        ([known_outage("2026-03-05 06:00", "2026-03-05 08:00")], "2026-03-06 08:00"),
        ([known_outage("2026-03-05 06:00", "2026-03-09 08:00")], "2026-03-10 08:00"),
        # The deadline was over, the hour of grace was not; then that was over too.
        ([known_outage("2026-03-05 12:30", "2026-03-05 12:40")], "2026-03-06 12:40"),
        ([known_outage("2026-03-05 13:00", "2026-03-05 13:40")], "2026-03-05 12:00"),
        # Shortly before the turn began.
        ([known_outage("2026-03-02 06:00", "2026-03-02 08:00")], "2026-03-05 12:00"),
        # Two that overlap: the listener did not take mail, then the server was down.
        (
            [
                known_outage("2026-03-03 00:00", "2026-03-03 06:00"),
                known_outage("2026-03-03 03:00", "2026-03-03 09:00"),
            ],
            "2026-03-05 21:00",
        ),
        # The clock is paused during the day after an outage in a vacation that is announced in it.
        (
            [
                known_outage("2026-03-05 06:00", "2026-03-05 08:00"),
                vacation("2026-03-05 20:00", "2026-03-10 20:00"),
            ],
            "2026-03-11 08:00",
        ),
        # A gift is for after that day.
        (
            [known_outage("2026-03-05 06:00", "2026-03-05 08:00"), GivenTime(DAY, when("2026-03-05 09:00"))],
            "2026-03-07 08:00",
        ),
    ],
)
def test_outage_is_credited(facts: list[Event], moment: str) -> None:
    assert deadline(owed("3d", *facts)) == when(moment)


def test_bank_has_at_least_a_day_after_an_outage_before_the_turn() -> None:
    move = owed("7d+1d", known_outage("2026-03-02 06:00", "2026-03-02 08:00"), bank=HOUR)
    assert deadline(move) == when("2026-03-03 08:00")


@given(moves(), moments(days=40), spans(timedelta(), 5 * DAY))
def test_no_deadline_within_a_day_after_an_outage(move: Owed, start: datetime, length: timedelta) -> None:
    known = tuple(event for event in move.events if event.said_at < start)
    limit = grace_until(replace(move, events=known))
    assert limit is not None
    failure = PausedTime(start, start + length, start + length, Why.OUTAGE)
    after = due(replace(move, events=(*move.events, failure)))
    if start < limit:
        assert after >= failure.end + AFTER_OUTAGE
    else:
        assert after >= due(move)


def planned(start: str, end: str, said_at: str) -> PausedTime:
    return PausedTime(when(start), when(end), when(said_at), Why.MAINTENANCE)


@pytest.mark.parametrize(
    "later",
    [
        known_outage("2026-03-05 11:00", "2026-03-05 13:00"),
        planned("2026-03-05 11:00", "2026-03-05 13:00", "2026-03-03 13:00"),
        GivenTime(22 * HOUR, when("2026-03-04 12:00")),
    ],
)
def test_day_after_maintenance_is_kept_in_any_case(later: Event) -> None:
    plan = planned("2026-03-06 09:00", "2026-03-06 13:00", "2026-03-03 12:00")
    assert deadline(owed("3d", plan, later)) == when("2026-03-07 13:00")


@given(moves(), moments(days=40), spans(timedelta(), 5 * DAY), moments())
def test_no_deadline_within_a_day_after_maintenance(
    move: Owed, start: datetime, length: timedelta, said_at: datetime
) -> None:
    plan = PausedTime(start, start + length, said_at, Why.MAINTENANCE)
    after = due(replace(move, events=(*move.events, plan)))
    assert after + move.terms.grace <= plan.start or after >= plan.end + AFTER_OUTAGE


# Failed email


@pytest.mark.parametrize(
    ("delivered", "moment"),
    [
        ("2026-03-02 12:00", "2026-03-05 12:00"),
        ("2026-03-04 18:00", "2026-03-07 18:00"),
        ("2026-03-09 12:00", "2026-03-12 12:00"),
        # After a week the time runs, even if the email still fails.
        ("2026-04-09 12:00", "2026-03-12 12:00"),
        (None, "2026-03-12 12:00"),
        # A clock that went back.
        ("2026-03-01 12:00", "2026-03-05 12:00"),
    ],
)
def test_time_runs_from_the_delivery_of_the_email(delivered: str | None, moment: str) -> None:
    failure = failed_mail(BEGAN, when(delivered) if delivered else None)
    assert deadline(owed("3d", failure)) == when(moment)


def test_pause_for_undelivered_email_counts_from_its_start() -> None:
    assert failed_mail(BEGAN, None) == PausedTime(BEGAN, BEGAN + MOST_FOR_MAIL, BEGAN, Why.MAIL)


# Clocks that jump


@dataclass
class World:
    """One seat that owes a move, a worker that looks after it, and a wall clock that tests can set.

    `lost_after` is how long the player really had while the server was up, once their time is up.
    """

    move: Owed
    wall: datetime = BEGAN
    beat: datetime | None = None
    had: timedelta = timedelta()
    lost_after: timedelta | None = None

    def tick(self) -> None:
        """Do one step of the worker."""
        if was_far_ahead(self.beat, self.wall):
            events = tuple(self._until_now(event) for event in self.move.events)
            self.move = replace(self.move, began=min(self.move.began, self.wall), events=events)
        down = outage(self.beat, self.wall)
        if down is not None:
            self.move = replace(self.move, events=(*self.move.events, down))
        self.beat = self.wall
        limit = grace_until(self.move)
        assert limit is not None
        if limit <= self.wall and self.lost_after is None:
            self.lost_after = self.had

    def _until_now(self, event: Event) -> Event:
        """Return the event without the future part of a pause, as required by `was_far_ahead`."""
        if isinstance(event, GivenTime):
            return event
        return replace(event, start=min(event.start, self.wall), end=min(event.end, self.wall))

    def run(self, hours: float) -> None:
        """Let time pass while the server is up."""
        for _ in range(round(hours * 60 / 5)):
            self.tick()
            self.wall += 5 * MINUTE
            self.had += 5 * MINUTE
        self.tick()

    def stand(self, hours: float) -> None:
        """Let time pass while the server is down."""
        self.wall += timedelta(hours=hours)

    def jump(self, hours: float) -> None:
        """Put the wall clock forward or back, in no time."""
        self.wall += timedelta(hours=hours)


def test_time_is_up_as_planned_without_clock_changes() -> None:
    world = World(owed("1d", grace="0"))
    world.run(30)
    assert world.lost_after == DAY


@pytest.mark.parametrize("hours", [1, 6, 1000, 87600])
def test_clock_put_forward_takes_no_time(hours: int) -> None:
    world = World(owed("2d", grace="0"))
    world.run(10)
    world.jump(hours)
    world.run(60)
    assert world.lost_after == 2 * DAY


@pytest.mark.parametrize("hours", [1, 6, 1000, 87600])
def test_clock_put_forward_and_back_stops_no_game(hours: int) -> None:
    world = World(owed("2d", grace="0"))
    world.run(10)
    world.jump(hours)
    world.run(1)
    world.jump(-hours)
    world.run(60)
    assert world.lost_after is not None
    assert 2 * DAY <= world.lost_after <= 2 * DAY + 6 * HOUR


def test_turn_that_began_in_the_future_begins_when_the_clock_is_put_back() -> None:
    world = World(replace(owed("2d", grace="0"), began=BEGAN + 1000 * DAY), BEGAN + 1000 * DAY)
    world.run(1)
    world.jump(-1000 * 24)
    world.run(60)
    assert world.lost_after == 2 * DAY + HOUR


@given(st.integers(0, 60), st.integers(-24, -1))
def test_clock_put_back_by_hours_moves_no_deadline(hours: int, step: int) -> None:
    world = World(owed("3d", grace="0"))
    world.run(hours)
    world.jump(step)
    world.run(1)
    assert due(world.move) == BEGAN + 3 * DAY


@pytest.mark.parametrize(("hours", "had"), [(1, 49), (6, 54), (24, 72), (1000, 58)])
def test_clock_put_back_only_gives_time(hours: int, had: int) -> None:
    """The player gains this much time; if the clock was far ahead, the turn begins again."""
    world = World(owed("2d", grace="0"))
    world.run(10)
    world.jump(-hours)
    world.run(80)
    assert world.lost_after == had * HOUR


STEPS = st.lists(
    st.tuples(st.just(World.run), st.integers(1, 12))
    | st.tuples(st.just(World.stand), st.integers(1, 12))
    | st.tuples(st.just(World.jump), st.integers(-12, 12)),
    max_size=8,
)


@pytest.mark.slow
@examples(40)
@given(STEPS, st.sampled_from(["6h", "1d", "7d+1d", "daily 20:00"]))
def test_no_player_loses_time_by_any_change_of_the_clock(steps: list[tuple[object, int]], time: str) -> None:
    """The server is up again for at least a while after each event."""
    move = owed(time, grace="0", bank=20 * HOUR)
    allowance = {"6h": 6 * HOUR, "1d": DAY, "7d+1d": 20 * HOUR, "daily 20:00": 31 * HOUR}[time]
    world = World(move)
    world.run(1)
    for step, hours in steps:
        step(world, hours)  # type: ignore[operator]
        world.run(0.5)
    world.run(60)
    assert world.lost_after is None or world.lost_after >= allowance


def test_credit_for_undelivered_email_is_at_most_a_week_a_month() -> None:
    def failed(day: float, days: float) -> PausedTime:
        return failed_mail(BEGAN + day * DAY, BEGAN + (day + days) * DAY)

    assert credited(failed(0, 9), []) == failed(0, 7)
    assert credited(failed(8, 2), [failed(0, 7)]) is None
    assert credited(failed(8, 9), [failed(0, 3), failed(4, 2)]) == failed(8, 2)
    assert credited(failed(36, 9), [failed(0, 7)]) is None
    assert credited(failed(37, 9), [failed(0, 7)]) == failed(37, 7)
    assert MONTH == 30 * DAY

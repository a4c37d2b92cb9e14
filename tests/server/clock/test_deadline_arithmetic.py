"""Deadlines of moves, the time that moves take from the bank, and events that change deadlines."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from server.clock.controls import Bank
from server.clock.deadline_arithmetic import (
    NOTICE,
    Owed,
    after_halt,
    bank_after,
    deadline,
    gift,
    grace_until,
    half_time,
)
from server.clock.errors import BadTime
from server.clock.pauses import GivenTime, PausedTime, Why
from server.clock.spans import DAY, HOUR
from server.clock.terms import Terms
from tests.support.server.time_controls import (
    BEGAN,
    QUARTER,
    ZONES,
    due,
    gifts,
    moments,
    moves,
    outage,
    owed,
    pauses,
    spans,
    vacation,
    when,
)

# A move, a bank, weekends


@pytest.mark.parametrize(
    ("time", "bank", "moment"),
    [
        ("3d", 0 * DAY, "2026-03-05 12:00"),
        ("1h", 0 * DAY, "2026-03-02 13:00"),
        ("7d+1d", 7 * DAY, "2026-03-09 12:00"),
        ("7d+1d", 2 * HOUR, "2026-03-02 14:00"),
        ("7d+1d", 0 * DAY, "2026-03-02 12:00"),
    ],
)
def test_deadline_of_a_move(time: str, bank: timedelta, moment: str) -> None:
    assert deadline(owed(time, bank=bank)) == when(moment)


def test_game_without_deadlines() -> None:
    move = owed("none", vacation("2026-03-03 00:00", "2026-03-08 00:00"))
    assert (deadline(move), grace_until(move), half_time(move)) == (None, None, None)
    assert bank_after(move, BEGAN + DAY) == timedelta()
    with pytest.raises(BadTime, match="This game has no deadlines, so there is no time to give"):
        gift(move, "1d", BEGAN)


@pytest.mark.parametrize(
    ("began", "time", "moment"),
    [
        ("2026-03-02 12:00", "3d", "2026-03-05 12:00"),
        ("2026-03-05 12:00", "3d", "2026-03-10 12:00"),
        ("2026-03-07 12:00", "3d", "2026-03-11 23:00"),
        # Friday at midnight is Monday at midnight.
        ("2026-03-05 23:00", "1d", "2026-03-08 23:00"),
        # Over the weekend on which clocks are put forward: the weekend has 47 hours.
        ("2026-03-27 12:00", "1d", "2026-03-30 11:00"),
        ("2026-10-23 12:00", "1d", "2026-10-26 13:00"),
    ],
)
def test_deadline_with_weekends_off(began: str, time: str, moment: str) -> None:
    assert deadline(replace(owed(time, weekends="off"), began=when(began))) == when(moment)


@given(moments(when("2018-10-20 00:00"), 200), st.sampled_from(ZONES), spans(HOUR, 10 * DAY))
def test_weekends_off_count_quarter_hours_of_working_days(
    began: datetime, zone: ZoneInfo, allowance: timedelta
) -> None:
    """Look at the calendar of the zone every quarter of an hour."""
    game = Terms.from_options(
        {"time": f"{allowance // QUARTER * 15}m", "weekends": "off"}, zone, simultaneous=False
    )
    missing, now = allowance // QUARTER, began
    while missing or now.astimezone(zone).weekday() >= 5:
        missing -= now.astimezone(zone).weekday() < 5
        now += QUARTER
    assert deadline(Owed(game, began, zone)) == now


@given(moves())
def test_deadline_is_never_before_the_start_plus_the_allowance(move: Owed) -> None:
    bare = replace(move, events=())
    assert due(move) >= due(bare) >= move.began
    if isinstance(move.terms.control, Bank):
        assert due(bare) >= move.began + move.bank


@given(moves(), pauses() | gifts())
def test_event_only_moves_a_deadline_later(move: Owed, event: PausedTime | GivenTime) -> None:
    assert due(replace(move, events=(*move.events, event))) >= due(move)


@given(moves(), st.randoms(use_true_random=False))
def test_order_of_events_does_not_matter(move: Owed, random: Random) -> None:
    shuffled = random.sample(move.events, len(move.events))
    assert due(replace(move, events=tuple(shuffled))) == due(move)


def test_two_simultaneous_gifts_count_in_any_order() -> None:
    """The first of them moves the deadline near the outage, and the second follows a day after its end."""
    down = outage("2026-03-04 00:00", "2026-03-04 01:00")
    given_then = [GivenTime(span, down.said_at) for span in (HOUR, 5 * QUARTER)]
    first, second = (due(owed("12h", down, *gifts, grace="1d")) for gifts in (given_then, given_then[::-1]))
    assert first == second


@given(moves())
def test_repeated_pause_counts_once(move: Owed) -> None:
    again = tuple(event for event in move.events if isinstance(event, PausedTime))
    assert due(replace(move, events=(*move.events, *again))) == due(move)


@given(moves())
def test_deadline_is_never_at_a_weekend_off(move: Owed) -> None:
    if move.terms.weekends:
        assert after_halt(move, due(move)) == due(move)
        return
    zone = getattr(move.terms.control, "zone", move.zone)
    assert due(move).astimezone(zone).weekday() < 5


# Vacation


@pytest.mark.parametrize(
    ("facts", "moment"),
    [
        ([vacation("2026-03-03 00:00", "2026-03-08 00:00")], "2026-03-10 12:00"),
        # Announced before the turn began, or under way then.
        ([vacation("2026-03-03 00:00", "2026-03-08 00:00", "2026-02-01 00:00")], "2026-03-10 12:00"),
        ([vacation("2026-02-25 00:00", "2026-03-03 12:00")], "2026-03-06 12:00"),
        # Over before the turn began, or after the deadline.
        ([vacation("2026-02-20 00:00", "2026-03-02 12:00")], "2026-03-05 12:00"),
        ([vacation("2026-03-06 00:00", "2026-03-09 00:00", "2026-03-02 13:00")], "2026-03-05 12:00"),
        # It begins just at the deadline.
        ([vacation("2026-03-05 12:00", "2026-03-09 00:00", "2026-03-02 13:00")], "2026-03-09 00:00"),
        # Two that overlap.
        (
            [
                vacation("2026-03-03 00:00", "2026-03-05 00:00"),
                vacation("2026-03-04 00:00", "2026-03-06 00:00"),
            ],
            "2026-03-08 12:00",
        ),
    ],
)
def test_clock_is_paused_during_a_vacation(facts: list[PausedTime], moment: str) -> None:
    assert deadline(owed("3d", *facts)) == when(moment)


@pytest.mark.parametrize(
    ("said_at", "moment"),
    [
        ("2026-03-05 10:59", "2026-03-10 12:00"),
        ("2026-03-05 11:00", "2026-03-10 12:00"),
        ("2026-03-05 11:01", "2026-03-05 12:00"),
        ("2026-03-05 12:01", "2026-03-05 12:00"),
        ("2026-03-06 12:00", "2026-03-05 12:00"),
    ],
)
def test_vacation_never_moves_a_deadline_within_the_next_hour(said_at: str, moment: str) -> None:
    start = when(said_at)
    assert deadline(owed("3d", PausedTime(start, start + 5 * DAY, start, Why.VACATION))) == when(moment)


def test_vacation_announced_too_late_stays_too_late() -> None:
    late = vacation("2026-03-05 11:30", "2026-03-10 11:30")
    later = outage("2026-03-05 11:40", "2026-03-05 11:50")
    assert deadline(owed("3d", late, later)) == when("2026-03-06 11:50")


def test_vacation_before_the_turn_counts_for_an_almost_empty_bank() -> None:
    announced = vacation("2026-03-02 11:30", "2026-03-07 11:30")
    assert deadline(owed("7d+1d", announced, bank=HOUR / 4)) == when("2026-03-07 11:45")


@pytest.mark.slow
@given(moves(), spans(-DAY, NOTICE), spans(DAY, 5 * DAY))
def test_vacation_does_not_move_a_deadline_that_was_near(
    move: Owed, ahead: timedelta, length: timedelta
) -> None:
    said_at = max(due(move) - ahead, move.began)
    known = tuple(event for event in move.events if event.said_at <= said_at)
    before = due(replace(move, events=known))
    assume(before < said_at + NOTICE)
    announced = PausedTime(said_at, said_at + length, said_at, Why.VACATION)
    assert due(replace(move, events=(*known, announced))) == before

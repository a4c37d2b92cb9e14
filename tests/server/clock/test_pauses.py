"""Times at which clocks are paused."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock.controls.control import SeatTime
from server.clock.pauses import Halt, PausedTime, Why, halted, halts, running, walk, weekends
from server.clock.spans import DAY, HOUR
from tests.support.server.time_controls import (
    BEGAN,
    BERLIN,
    QUARTER,
    ZONES,
    moments,
    pauses,
    spans,
    vacation,
    when,
)

STRETCHES = st.lists(pauses(), max_size=4).map(halts)


@given(moments(), moments(), STRETCHES)
def test_running_time_counts_quarter_hours_outside_of_pauses(
    start: datetime, end: datetime, stops: list[Halt]
) -> None:
    quarters = [start + n * QUARTER for n in range(max((end - start) // QUARTER, 0))]
    assert running(start, end, stops) == QUARTER * sum(
        not any(begin <= quarter < until for begin, until in stops) for quarter in quarters
    )


@given(moments(), spans(timedelta(), 5 * DAY), STRETCHES)
def test_walk_ends_at_the_last_possible_moment(start: datetime, amount: timedelta, stops: list[Halt]) -> None:
    end = walk(start, amount, stops)
    assert running(start, end, stops) == amount
    assert running(start, end + QUARTER, stops) == amount + QUARTER
    assert not halted(end, stops)


@given(moments(), STRETCHES)
def test_halted_is_true_exactly_when_no_time_runs(moment: datetime, stops: list[Halt]) -> None:
    assert halted(moment, stops) == (running(moment, moment + QUARTER, stops) == timedelta())


@pytest.mark.parametrize(
    ("start", "amount", "end"),
    [
        ("2026-03-02 00:00", 2 * DAY, "2026-03-04 00:00"),
        # Time that is up just when the halt begins is up when the halt ends.
        ("2026-03-02 00:00", 3 * DAY, "2026-03-07 00:00"),
        ("2026-03-02 00:00", 4 * DAY, "2026-03-08 00:00"),
        ("2026-03-05 12:00", HOUR, "2026-03-07 01:00"),
        ("2026-03-07 00:00", HOUR, "2026-03-07 01:00"),
    ],
)
def test_walk_skips_a_pause(start: str, amount: timedelta, end: str) -> None:
    assert walk(when(start), amount, halts([vacation("2026-03-05 00:00", "2026-03-07 00:00")])) == when(end)


def test_time_never_runs_backwards() -> None:
    assert running(BEGAN, BEGAN - DAY, []) == timedelta()


@pytest.mark.parametrize(
    ("moment", "first", "second"),
    [
        # From any day of the week: the weekend at hand or the last one, and the next one.
        ("2026-03-02 12:00", "2026-02-27 23:00", "2026-03-06 23:00"),
        ("2026-03-06 22:59", "2026-02-27 23:00", "2026-03-06 23:00"),
        ("2026-03-06 23:00", "2026-03-06 23:00", "2026-03-13 23:00"),
        ("2026-03-08 22:59", "2026-03-06 23:00", "2026-03-13 23:00"),
    ],
)
def test_weekends_are_those_of_the_zone(moment: str, first: str, second: str) -> None:
    found = list(islice(weekends(when(moment), BERLIN), 2))
    assert found == [(when(start), when(start) + 2 * DAY) for start in (first, second)]


def test_weekend_length_changes_with_daylight_saving() -> None:
    spring, autumn = (next(weekends(when(day), BERLIN)) for day in ("2026-03-28 12:00", "2026-10-24 12:00"))
    assert spring == (when("2026-03-27 23:00"), when("2026-03-29 22:00"))
    assert autumn == (when("2026-10-23 22:00"), when("2026-10-25 23:00"))


@given(st.sampled_from(ZONES), moments(when("2018-10-20 00:00"), 200))
def test_moment_is_in_a_weekend_if_its_day_is(zone: ZoneInfo, moment: datetime) -> None:
    assert halted(moment, weekends(moment, zone)) == (moment.astimezone(zone).weekday() >= 5)


def test_several_pauses_are_merged_in_order() -> None:
    vacations = (
        vacation("2026-03-10 00:00", "2026-03-12 00:00"),
        vacation("2026-03-03 00:00", "2026-03-04 00:00"),
    )
    together = list(islice(SeatTime(BEGAN, timedelta(), vacations, BERLIN).halts(), 4))
    assert together == sorted(together)
    assert halts(vacations)[1] == together[3]


def test_pause_that_ends_before_its_start_raises() -> None:
    with pytest.raises(ValueError, match="ends before it starts"):
        PausedTime(BEGAN, BEGAN - HOUR, BEGAN, Why.OUTAGE)

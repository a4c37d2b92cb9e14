"""Orders that are due at fixed moments, and the effect of pauses on them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock.controls import Fixed
from server.clock.controls.fixed import LEAST
from server.clock.deadline_arithmetic import Event, Owed, resolves_at
from server.clock.pauses import GivenTime, PausedTime, Why
from server.clock.spans import DAY, HOUR
from tests.support.server.time_controls import BEGAN, ZONES, due, moves, outage, owed, terms, vacation, when


@pytest.mark.parametrize(
    ("time", "began", "moment"),
    [
        ("daily 20:00", "2026-03-02 19:00", "2026-03-03 19:00"),
        # Twelve hours before the moment, and a little less.
        ("daily 20:00", "2026-03-02 07:00", "2026-03-02 19:00"),
        ("daily 20:00", "2026-03-02 07:00:00.000001", "2026-03-03 19:00"),
        ("mon,thu 18:00", "2026-03-02 17:00", "2026-03-05 17:00"),
        ("mon,thu 18:00", "2026-03-05 17:00", "2026-03-09 17:00"),
        ("mon,thu 18:00", "2026-03-04 12:00", "2026-03-05 17:00"),
        # The week in which clocks are put forward, and the one in which they are put back.
        ("mon 18:00", "2026-03-23 17:00", "2026-03-30 16:00"),
        ("mon 18:00", "2026-10-19 16:00", "2026-10-26 17:00"),
    ],
)
def test_first_moment_that_is_far_enough_counts(time: str, began: str, moment: str) -> None:
    assert due(replace(owed(time), began=when(began))) == when(moment)


@pytest.mark.parametrize(
    ("time", "began", "moment"),
    [
        ("daily 20:00", "2026-03-06 12:00", "2026-03-09 19:00"),
        ("daily 20:00", "2026-03-05 19:00", "2026-03-06 19:00"),
        ("fri,sat 20:00", "2026-03-06 19:00", "2026-03-13 19:00"),
        # Sunday in New York, Monday in Berlin: the zone of the moment decides.
        ("mon 02:00 Europe/Berlin", "2026-03-02 12:00", "2026-03-09 01:00"),
    ],
)
def test_deadline_skips_weekends_when_weekends_are_off(time: str, began: str, moment: str) -> None:
    move = replace(owed(time, weekends="off"), began=when(began), zone=ZoneInfo("America/New_York"))
    assert due(move) == when(moment)


@pytest.mark.parametrize(
    ("time", "event", "moment"),
    [
        # Less than half of the three days and five hours before Thursday: Thursday stays.
        ("mon,thu 18:00", vacation("2026-03-03 12:00", "2026-03-04 18:00"), "2026-03-05 17:00"),
        # Exactly half.
        ("mon,thu 18:00", vacation("2026-03-03 12:00", "2026-03-05 02:30"), "2026-03-05 17:00"),
        # More than half: Monday.
        ("mon,thu 18:00", vacation("2026-03-03 12:00", "2026-03-05 12:00"), "2026-03-09 17:00"),
        # The moment is in the vacation, at its very beginning, at its very end.
        ("mon,thu 18:00", vacation("2026-03-05 12:00", "2026-03-06 12:00"), "2026-03-09 17:00"),
        (
            "mon,thu 18:00",
            vacation("2026-03-05 17:00", "2026-03-06 12:00", "2026-03-03 12:00"),
            "2026-03-09 17:00",
        ),
        ("mon,thu 18:00", vacation("2026-03-05 12:00", "2026-03-05 17:00"), "2026-03-05 17:00"),
        # Several moments are in it.
        ("mon,thu 18:00", vacation("2026-03-04 12:00", "2026-03-15 12:00"), "2026-03-16 17:00"),
        # Announced within the hour before.
        ("mon,thu 18:00", vacation("2026-03-05 16:30", "2026-03-08 16:30"), "2026-03-05 17:00"),
        # A pause other than a vacation shifts the moment by its length.
        ("mon,thu 18:00", outage("2026-03-03 12:00", "2026-03-03 12:10"), "2026-03-05 17:10"),
        ("mon,thu 18:00", outage("2026-03-05 12:00", "2026-03-05 12:10"), "2026-03-06 12:10"),
        (
            "mon,thu 18:00",
            PausedTime(
                when("2026-03-05 17:00"), when("2026-03-05 18:00"), when("2026-03-05 18:00"), Why.AUTOMATIC
            ),
            "2026-03-05 18:00",
        ),
        ("mon,thu 18:00", GivenTime(DAY, BEGAN), "2026-03-06 17:00"),
    ],
)
def test_events_that_move_a_fixed_moment(time: str, event: Event, moment: str) -> None:
    assert due(owed(time, event)) == when(moment)


def test_second_hour_of_vacation_moves_a_fixed_moment() -> None:
    due_at = when("2026-03-05 17:10")
    facts = [
        outage("2026-03-03 12:00", "2026-03-03 12:10"),
        *(
            PausedTime(due_at + n * HOUR, due_at + (n + 1) * HOUR, due_at + (n + 1) * HOUR, Why.AUTOMATIC)
            for n in (0, 1)
        ),
    ]
    assert due(owed("mon,thu 18:00", *facts)) == due_at + 2 * HOUR


@given(moves("daily 20:00", "mon,thu 18:00", "sun,mon 02:30"))
def test_fixed_moment_keeps_its_time_of_day(move: Owed) -> None:
    vacations = tuple(e for e in move.events if isinstance(e, PausedTime) and e.why is Why.VACATION)
    control, moment = move.terms.control, due(replace(move, events=vacations))
    assert isinstance(control, Fixed)
    assert moment >= move.began + LEAST
    assert moment in islice(control.after(move.began), 60)


@given(st.sampled_from(ZONES), st.integers(0, 52 * 16))
def test_fixed_moment_is_the_same_every_week_for_years(zone: ZoneInfo, week: int) -> None:
    """On the evening of a Monday, through every change of the clocks."""
    game = terms(f"mon 20:00 {zone.key}", simultaneous=True)
    began = due(Owed(game, when("2012-01-01 00:00") + 7 * DAY * week, zone))
    following = due(Owed(game, began, zone))
    local = following.astimezone(zone)
    assert (local.weekday(), local.hour, local.minute) == (0, 20, 0)
    assert local.date() == began.astimezone(zone).date() + 7 * DAY
    assert abs(following - began - 7 * DAY) <= timedelta(hours=1)


# The delay


@pytest.mark.parametrize(
    ("all_in", "moment"),
    [
        ("2026-03-03 12:00", "2026-03-03 12:30"),
        # Not after the deadline.
        ("2026-03-03 18:45", "2026-03-03 19:00"),
        # In the grace: immediately.
        ("2026-03-03 19:20", "2026-03-03 19:20"),
    ],
)
def test_turn_waits_for_the_delay(all_in: str, moment: str) -> None:
    game = terms("daily 20:00", simultaneous=True, delay="30m")
    assert resolves_at(game, when(all_in), when("2026-03-03 19:00")) == when(moment)


def test_turn_without_deadline_waits_for_the_delay() -> None:
    assert resolves_at(terms("none", simultaneous=True, delay="1h"), BEGAN, None) == BEGAN + HOUR
    assert resolves_at(terms("none", simultaneous=True), BEGAN, None) == BEGAN

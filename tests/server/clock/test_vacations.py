"""Vacation: the commands, the budget, and hours that the server spends by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock.deadline_arithmetic import Owed, deadline, grace_until
from server.clock.errors import BadTime
from server.clock.pauses import PausedTime, Why
from server.clock.spans import DAY, HOUR
from server.clock.vacations import (
    BUDGET,
    automatic,
    check_budget,
    is_off,
    overdrawn,
    read_vacation,
    spent,
)
from tests.support.server.time_controls import (
    BEGAN,
    BERLIN,
    UTC_ZONE,
    ZONES,
    due,
    moments,
    moves,
    outage,
    owed,
    pauses,
    vacation,
    when,
)

NOW = when("2026-03-02 12:00")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("5d", "2026-03-02 12:00", "2026-03-07 12:00"),
        ("1 week", "2026-03-02 12:00", "2026-03-09 12:00"),
        # Whole days in Berlin, the last one too.
        ("2026-12-20 to 2027-01-03", "2026-12-19 23:00", "2027-01-03 23:00"),
        ("from 2026-12-20 until 2027-01-03", "2026-12-19 23:00", "2027-01-03 23:00"),
        ("2026-12-20 - 2027-01-03", "2026-12-19 23:00", "2027-01-03 23:00"),
        ("2026-12-20 to 2026-12-20", "2026-12-19 23:00", "2026-12-20 23:00"),
        # Clocks are put forward on the last day.
        ("2026-03-28 to 2026-03-29", "2026-03-27 23:00", "2026-03-29 22:00"),
        # Today counts as the rest of the day.
        ("2026-03-02 to 2026-03-04", "2026-03-02 12:00", "2026-03-04 23:00"),
        ("until 2026-03-04", "2026-03-02 12:00", "2026-03-04 23:00"),
        # As people write it.
        ("two weeks", "2026-03-02 12:00", "2026-03-16 12:00"),
        ("for the next 5 days.", "2026-03-02 12:00", "2026-03-07 12:00"),
        ("a fortnight", "2026-03-02 12:00", "2026-03-16 12:00"),
        ("Dec 20 to Jan 3", "2026-12-19 23:00", "2027-01-03 23:00"),
        ("20.12.-3.1.", "2026-12-19 23:00", "2027-01-03 23:00"),
        ("from 20 to 27 December", "2026-12-19 23:00", "2026-12-27 23:00"),
        ("until Friday", "2026-03-02 12:00", "2026-03-06 23:00"),
        ("Friday to Sunday!", "2026-03-05 23:00", "2026-03-08 23:00"),
        ("tomorrow until the 10th", "2026-03-02 23:00", "2026-03-10 23:00"),
        ("two weeks from Dec 20", "2026-12-19 23:00", "2027-01-02 23:00"),
        ("from Monday 9 March for a week", "2026-03-08 23:00", "2026-03-15 23:00"),
        ("3 days starting tomorrow", "2026-03-02 23:00", "2026-03-05 23:00"),
        ("next week", "2026-03-08 23:00", "2026-03-15 23:00"),
        ("until the end of the week", "2026-03-02 12:00", "2026-03-08 23:00"),
    ],
)
def test_vacations_are_read(text: str, start: str, end: str) -> None:
    assert read_vacation(text, NOW, BERLIN) == PausedTime(when(start), when(end), NOW, Why.VACATION)


def test_vacation_dates_are_in_the_players_zone() -> None:
    kiribati = ZoneInfo("Pacific/Kiritimati")
    assert read_vacation("until 2026-03-03", NOW, kiribati).end == when("2026-03-03 10:00")
    with pytest.raises(BadTime, match="today, 2026-03-03, at the earliest"):
        read_vacation("until 2026-03-02", NOW, kiribati)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "A length of time is missing; write vacation 5d, vacation 2026-12-20 to 2027-01-03, or "
            "vacation off.",
        ),
        (
            "soon",
            "“soon” is not a length of time; write vacation 5d, vacation 2026-12-20 to 2027-01-03, or "
            "vacation off.",
        ),
        (
            "2026-12-20",
            "“2026-12-20” names one day; write the first and the last: vacation 2026-12-20 to 2026-12-26.",
        ),
        (
            "900d",
            "“900d” is longer than a year; write vacation 5d, vacation 2026-12-20 to 2027-01-03, or "
            "vacation off.",
        ),
        ("12h", "A vacation must be at least 1 day; 12 hours is too short."),
        ("0", "A vacation must be at least 1 day; no time is too short."),
        ("2026-12-20 to soon", "“soon” is not a date; write year-month-day, such as 2026-12-20."),
        ("2026-02-30 to 2026-03-03", "There is no day “2026-02-30”; write year-month-day, such as 2026-12-20."),
        ("2027-01-03 to 2026-12-20", "2026-12-20 is before 2027-01-03; write the first day, then the last."),
        (
            "2026-03-01 to 2026-03-04",
            "2026-03-01 has passed; your vacation can begin today, 2026-03-02, at the earliest.",
        ),
        (
            "2026-02-01 to 2026-03-01",
            "2026-03-01 has passed; your vacation can end today, 2026-03-02, at the earliest. If you mean next "
            "year, write 2027-03-01.",
        ),
        (
            "Feb 27 to Feb 28",
            "2026-02-28 has passed; your vacation can end today, 2026-03-02, at the earliest. If you mean next "
            "year, write 2027-02-28.",
        ),
        (
            "Feb 28 to March 5",
            "2026-02-28 has passed; your vacation can begin today, 2026-03-02, at the earliest.",
        ),
        ("3/4", "“3/4” may be 4 March 2026 or 3 April 2026; write 2026-03-04 or 2026-04-03."),
        (
            "tomorrow",
            "“tomorrow” names one day; write the first and the last: vacation 2026-03-03 to 2026-03-09.",
        ),
        (
            "from 20.12.",
            "“from 20.12.” names one day; write the first and the last: vacation 2026-12-20 to 2026-12-26.",
        ),
        ("2 weeks from 5/6", "“5/6” may be 6 May 2026 or 5 June 2026; write 2026-05-06 or 2026-06-05."),
        ("9999-12-31 for 3 days", "9999-12-31 is too far away; your vacation must end within two years."),
        ("until 9999-12-31", "9999-12-31 is too far away; your vacation must end within two years."),
    ],
)
def test_invalid_vacations_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_vacation(text, NOW, BERLIN)
    assert str(problem.value) == message


@pytest.mark.parametrize(
    ("text", "off"),
    [
        ("off", True),
        (" OFF. ", True),
        ("none", True),
        ("over!", True),
        ("5d", False),
        ("official", False),
        ("", False),
    ],
)
def test_vacation_off_is_recognized(text: str, off: bool) -> None:
    assert is_off(text) is off


# The budget


@pytest.mark.parametrize(
    ("vacations", "year", "days"),
    [
        ([], 2026, 0),
        ([vacation("2026-03-02 12:00", "2026-03-07 12:00")], 2026, 5),
        ([vacation("2026-03-02 12:00", "2026-03-07 12:00")], 2027, 0),
        # Overlaps count once.
        (
            [
                vacation("2026-03-02 12:00", "2026-03-07 12:00"),
                vacation("2026-03-05 12:00", "2026-03-09 12:00"),
            ],
            2026,
            7,
        ),
        # Across new year, which is at 23:00 UTC in Berlin.
        ([vacation("2026-12-19 23:00", "2027-01-03 23:00")], 2026, 12),
        ([vacation("2026-12-19 23:00", "2027-01-03 23:00")], 2027, 3),
        ([vacation("2026-12-31 23:00", "2027-01-03 23:00")], 2026, 0),
        # Downtime of the server costs no vacation.
        ([outage("2026-03-02 12:00", "2026-03-07 12:00")], 2026, 0),
        ([replace(vacation("2026-03-02 12:00", "2026-03-03 12:00"), why=Why.AUTOMATIC)], 2026, 1),
    ],
)
def test_spent_days_of_a_year(vacations: list[PausedTime], year: int, days: int) -> None:
    assert spent(vacations, year, BERLIN) == days * DAY


def test_year_is_that_of_the_players_zone() -> None:
    party = [vacation("2026-12-31 12:00", "2027-01-01 12:00")]
    in_apia, in_new_york = ZoneInfo("Pacific/Apia"), ZoneInfo("America/New_York")
    assert (spent(party, 2026, in_apia), spent(party, 2027, in_apia)) == (0 * DAY, DAY)
    assert (spent(party, 2026, in_new_york), spent(party, 2027, in_new_york)) == (17 * HOUR, 7 * HOUR)


@given(st.lists(pauses(Why.VACATION, Why.AUTOMATIC), max_size=5), st.sampled_from(ZONES))
def test_spent_time_is_at_most_the_sum(vacations: list[PausedTime], zone: ZoneInfo) -> None:
    lengths = [pause.end - pause.start for pause in vacations]
    assert max(lengths, default=timedelta()) <= spent(vacations, 2026, zone) <= sum(lengths, timedelta())


@given(moments(when("2025-12-01 00:00"), 60), st.integers(0, 40), st.sampled_from(ZONES))
def test_every_hour_is_spent_in_one_year(start: datetime, days: int, zone: ZoneInfo) -> None:
    pause = PausedTime(start, start + days * DAY, start, Why.VACATION)
    assert spent([pause], 2025, zone) + spent([pause], 2026, zone) == days * DAY


@pytest.mark.parametrize(
    ("start", "days", "budget", "year"),
    [
        ("2026-12-19 23:00", 15, 30, None),
        ("2026-12-19 23:00", 15, 12, None),
        ("2026-12-19 23:00", 15, 11, 2026),
        # Ten days of the old year, three of the new: the new one begins with a budget of its own.
        ("2026-12-21 23:00", 20, 10, None),
        ("2026-12-21 23:00", 21, 10, 2027),
    ],
)
def test_vacation_across_new_year_uses_two_budgets(
    start: str, days: int, budget: int, year: int | None
) -> None:
    wanted = PausedTime(when(start), when(start) + days * DAY, NOW, Why.VACATION)
    assert overdrawn(wanted, [], BERLIN, budget * DAY) == year


def test_vacation_within_the_budget_is_accepted() -> None:
    before = [vacation("2026-01-10 00:00", "2026-02-04 00:00")]
    check_budget(read_vacation("5d", NOW, BERLIN), before, BERLIN)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("6d", "In 2026 you have 5 days of vacation left; this would take 6 days."),
        ("2026-12-20 to 2027-01-03", "In 2026 you have 5 days of vacation left; this would take 12 days."),
    ],
)
def test_vacation_beyond_the_budget_is_refused(text: str, message: str) -> None:
    before = [vacation("2026-01-10 00:00", "2026-02-04 00:00")]
    with pytest.raises(BadTime) as problem:
        check_budget(read_vacation(text, NOW, BERLIN), before, BERLIN)
    assert str(problem.value) == message


def test_overlapping_vacation_is_spent_once() -> None:
    before = [vacation("2026-03-01 00:00", "2026-04-01 00:00")]
    check_budget(read_vacation("5d", NOW, BERLIN), before, BERLIN)


# Hours that the server spends by itself

DUE = when("2026-03-05 12:00")


@pytest.mark.parametrize(
    ("now", "hours"),
    [
        ("2026-03-05 12:30", 0),
        ("2026-03-05 12:59:59", 0),
        # Time and an hour of grace are over.
        ("2026-03-05 13:00", 1),
        ("2026-03-05 13:59:59", 1),
        # The server comes late.
        ("2026-03-05 14:00", 2),
        ("2026-03-05 16:10", 4),
    ],
)
def test_automatic_vacation_spends_whole_hours_after_the_grace_period(now: str, hours: int) -> None:
    expected = PausedTime(DUE, DUE + hours * HOUR, when(now), Why.AUTOMATIC) if hours else None
    assert automatic(DUE, HOUR, when(now), [], BERLIN) == expected


@pytest.mark.parametrize(
    ("budget", "granted"), [(BUDGET, True), (26 * HOUR, True), (25 * HOUR, True), (24 * HOUR, False)]
)
def test_automatic_vacation_stays_within_the_budget(budget: timedelta, granted: bool) -> None:
    day = [vacation("2026-01-10 00:00", "2026-01-11 00:00")]
    assert (automatic(DUE, HOUR, DUE + HOUR, day, BERLIN, budget) is not None) is granted


@given(moves(), moments(days=40))
def test_automatic_vacation_prevents_a_timeout_with_as_few_hours_as_possible(move: Owed, now: datetime) -> None:
    limit = grace_until(move)
    assert limit is not None
    now = max([now, limit, *(event.said_at for event in move.events)])
    spared = automatic(due(move), move.terms.grace, now, [], UTC_ZONE, 365 * DAY)
    assert spared is not None
    assert (spared.end - spared.start) % HOUR == timedelta()
    after = grace_until(replace(move, events=(*move.events, spared)))
    assert after is not None
    assert after > now
    assert spared.end - HOUR + move.terms.grace <= now


def test_automatic_hours_are_spent_until_none_are_left() -> None:
    move = owed("3d")
    spending: list[PausedTime] = []
    while hour := automatic(due(move), HOUR, due(move) + HOUR, spending, BERLIN, 5 * HOUR):
        spending.append(hour)
        move = replace(move, events=tuple(spending))
    assert len(spending) == 5
    assert deadline(move) == DUE + 5 * HOUR
    assert spent(spending, 2026, BERLIN) == 5 * HOUR


def test_automatic_hour_for_one_game_also_extends_another() -> None:
    first = automatic(DUE, HOUR, DUE + HOUR, [], BERLIN)
    assert first is not None
    other = replace(owed("3d", first), began=BEGAN + HOUR / 2)
    assert deadline(other) == DUE + HOUR / 2 + HOUR

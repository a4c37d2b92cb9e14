"""The times of reminders."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from server.clock.deadline_arithmetic import Event, Owed
from server.clock.errors import BadTime
from server.clock.reminders import (
    REST,
    ReminderChoice,
    next_reminder,
    read_reminders,
    reminders_in_words,
    write_reminders,
)
from server.clock.spans import DAY, HOUR
from tests.support.server.time_controls import BEGAN, due, moments, moves, outage, owed, vacation, when

CHOICES = st.frozensets(st.sampled_from(list(ReminderChoice)))
ALL = frozenset(ReminderChoice)
HALF_AND_DAY = frozenset({ReminderChoice.HALF, ReminderChoice.DAY})


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("half", "half"),
        ("hour, half", "half, hour"),
        ("Half time and a day before", "half, day"),
        ("an hour before", "hour"),
        ("none", "none"),
    ],
)
def test_reminder_choices_are_read(text: str, canonical: str) -> None:
    assert write_reminders(read_reminders(text)) == canonical


@given(CHOICES)
def test_written_choice_reads_back(choice: frozenset[ReminderChoice]) -> None:
    assert read_reminders(write_reminders(choice)) == choice


@pytest.mark.parametrize("text", ["half none", "week", "half, weekly"])
def test_invalid_choices_are_refused(text: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_reminders(text)
    assert str(problem.value) == (
        f"“{text}” is not a choice of reminders; write one or more of half, day, hour, or none."
    )


def test_missing_choice_is_refused() -> None:
    with pytest.raises(BadTime, match="Say when you want to be reminded; write one or more of half"):
        read_reminders(" ")


def test_reminder_choices_are_described_in_words() -> None:
    assert reminders_in_words(HALF_AND_DAY) == (
        "You will be reminded of a move you owe when half of your time is gone and a day before the "
        "deadline, at most once every twelve hours per game."
    )
    assert reminders_in_words(frozenset()) == "You will not be reminded of moves you owe."


def all_reminders(move: Owed, choice: frozenset[ReminderChoice]) -> list[datetime]:
    """Return all reminders of a move, each sent when it is due."""
    sent: list[datetime] = []
    last, now = None, move.began
    while (moment := next_reminder(move, choice, last, now)) is not None:
        sent.append(moment)
        last = now = moment
    return sent


@pytest.mark.parametrize(
    ("time", "choice", "expected"),
    [
        ("3d", "half, day, hour", ["2026-03-04 00:00", "2026-03-04 12:00", "2026-03-05 11:00"]),
        ("3d", "half", ["2026-03-04 00:00"]),
        ("3d", "day", ["2026-03-04 12:00"]),
        ("3d", "hour", ["2026-03-05 11:00"]),
        ("3d", "none", []),
        # Half time is six hours before the day before: the later one counts.
        ("60h", "half, day", ["2026-03-04 00:00"]),
        ("60h", "half", ["2026-03-03 18:00"]),
        # There is no day before the deadline of a day.
        ("1d", "half, day, hour", ["2026-03-03 11:00"]),
        ("1d", "half, day", ["2026-03-03 00:00"]),
        ("1h", "half, day, hour", ["2026-03-02 12:30"]),
        ("daily 20:00", "hour", ["2026-03-03 18:00"]),
        ("none", "half, day, hour", []),
    ],
)
def test_reminders_of_a_move(time: str, choice: str, expected: list[str]) -> None:
    assert all_reminders(owed(time), read_reminders(choice)) == [when(text) for text in expected]


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        # The day before the deadline, Tuesday noon, is in the vacation: when that is over.
        (vacation("2026-03-04 06:00", "2026-03-09 06:00"), ["2026-03-04 00:00", "2026-03-09 12:00"]),
        (vacation("2026-03-04 18:00", "2026-03-09 18:00"), ["2026-03-04 00:00", "2026-03-09 18:00"]),
        # After an outage there is a day; the day before begins when the outage ends.
        (outage("2026-03-05 06:00", "2026-03-05 08:00"), ["2026-03-04 09:00", "2026-03-05 08:00"]),
    ],
)
def test_reminders_after_a_pause(event: Event, expected: list[str]) -> None:
    assert all_reminders(owed("3d", event), HALF_AND_DAY) == [when(text) for text in expected]


@pytest.mark.parametrize(("reminder", "expected"), [("day", "2026-03-07 23:00"), ("hour", "2026-03-08 22:00")])
def test_reminder_is_sent_in_a_pause_that_lasts_until_the_deadline(reminder: str, expected: str) -> None:
    """From Wednesday 00:00 in Berlin three days last until the weekend begins: it is due when that is over."""
    move = replace(owed("3d", weekends="off"), began=when("2026-03-03 23:00"))
    assert due(move) == when("2026-03-08 23:00")
    assert all_reminders(move, read_reminders(reminder)) == [when(expected)]


def test_missed_reminder_is_sent_now() -> None:
    late = when("2026-03-04 01:00")
    assert next_reminder(owed("3d"), frozenset({ReminderChoice.HALF}), None, late) == late
    assert next_reminder(owed("3d"), frozenset({ReminderChoice.HALF}), late, late) is None


def test_no_reminder_after_the_deadline() -> None:
    assert next_reminder(owed("3d"), ALL, None, when("2026-03-05 12:00")) is None


def test_twelve_hours_between_reminders_when_the_deadline_moves() -> None:
    move = owed("3d")
    assert next_reminder(move, ALL, when("2026-03-04 01:00"), when("2026-03-04 01:00")) == when(
        "2026-03-05 11:00"
    )
    assert next_reminder(move, ALL, when("2026-03-04 00:00"), when("2026-03-04 01:00")) == when(
        "2026-03-04 12:00"
    )


def test_last_reminder_in_the_future_counts_as_now() -> None:
    ahead = when("2026-05-01 00:00")
    assert next_reminder(owed("3d"), ALL, ahead, BEGAN) == when("2026-03-04 00:00")
    assert next_reminder(owed("3d"), ALL, ahead, when("2026-03-04 06:00")) == when("2026-03-05 11:00")


@given(moves(), CHOICES)
def test_reminders_are_apart_and_before_the_deadline(move: Owed, choice: frozenset[ReminderChoice]) -> None:
    sent = all_reminders(move, choice)
    assert len(sent) <= len(choice)
    assert all(move.began < moment < due(move) for moment in sent)
    assert all(later - earlier >= REST for earlier, later in pairwise(sent))


@given(moves(), CHOICES, st.none() | moments(), moments())
def test_next_reminder_is_in_the_future_and_not_too_soon(
    move: Owed, choice: frozenset[ReminderChoice], last: datetime | None, now: datetime
) -> None:
    moment = next_reminder(move, choice, last, now)
    if moment is None:
        return
    assert now <= moment < due(move)
    assert last is None or last > now or moment - last >= REST


@given(moves("3d", "7d+1d", "mon,thu 18:00"), st.sampled_from(list(ReminderChoice)))
def test_one_chosen_reminder_is_sent(move: Owed, reminder: ReminderChoice) -> None:
    bare = replace(move, events=(), bank=max(move.bank, 30 * HOUR))
    assume(due(bare) - bare.began > DAY)
    assert len(all_reminders(bare, frozenset({reminder}))) == 1

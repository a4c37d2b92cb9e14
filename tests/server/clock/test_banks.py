"""Time taken from the bank, half time, and time that an opponent gives."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock.controls import Bank
from server.clock.deadline_arithmetic import Event, Owed, bank_after, gift, grace_until, half_time, used
from server.clock.errors import BadTime
from server.clock.pauses import GivenTime
from server.clock.spans import DAY, HOUR
from tests.support.server.time_controls import (
    BEGAN,
    due,
    moments,
    moves,
    outage,
    owed,
    pauses,
    spans,
    vacation,
    when,
)

BANKS = ("7d+1d", "2d+3d/4d", "5d+0/5d")
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("bank", "moved", "after"),
    [
        # Seven days in the bank, one more after each move, never above fourteen.
        (7 * DAY, "2026-03-02 12:00", 8 * DAY),
        (7 * DAY, "2026-03-04 12:00", 6 * DAY),
        (7 * DAY, "2026-03-09 12:00", 1 * DAY),
        (13 * DAY + 12 * HOUR, "2026-03-02 18:00", 14 * DAY),
        (14 * DAY, "2026-03-03 11:00", 14 * DAY),
        # In the grace.
        (7 * DAY, "2026-03-09 12:59", 1 * DAY),
        # Long after it, where the opponent waited.
        (7 * DAY, "2026-04-09 12:00", 1 * DAY),
        # Before the turn began, by a clock that went back.
        (7 * DAY, "2026-03-02 06:00", 8 * DAY),
        # Parts of a second are the player's.
        (7 * DAY, "2026-03-04 12:00:00.999999", 6 * DAY),
        (7 * DAY, "2026-03-04 12:00:01", 6 * DAY - SECOND),
    ],
)
def test_bank_after_a_move(bank: timedelta, moved: str, after: timedelta) -> None:
    assert bank_after(owed("7d+1d", bank=bank), when(moved)) == after


@pytest.mark.parametrize(
    ("event", "after"),
    [
        (vacation("2026-03-03 12:00", "2026-03-06 12:00"), 5 * DAY),
        (outage("2026-03-03 12:00", "2026-03-03 18:00"), 2 * DAY + 6 * HOUR),
        (GivenTime(2 * DAY, BEGAN), 4 * DAY),
    ],
)
def test_pauses_and_gifts_are_not_taken_from_the_bank(event: Event, after: timedelta) -> None:
    assert bank_after(owed("7d+1d", event, bank=7 * DAY), when("2026-03-08 12:00")) == after


def test_weekends_off_are_not_taken_from_the_bank() -> None:
    move = owed("7d+1d", bank=7 * DAY, weekends="off")
    assert used(move, when("2026-03-09 12:00")) == 5 * DAY
    assert bank_after(move, when("2026-03-09 12:00")) == 3 * DAY


@given(moves(*BANKS), moments(days=40))
def test_bank_is_never_negative_and_never_above_the_cap(move: Owed, moved: datetime) -> None:
    assert isinstance(move.terms.control, Bank)
    assert move.terms.control.increment <= bank_after(move, moved) <= move.terms.control.cap


@given(moves(*BANKS), st.lists(spans(timedelta(), 3 * DAY), max_size=10))
def test_bank_stays_in_bounds_for_a_complete_game(move: Owed, pace: list[timedelta]) -> None:
    control = move.terms.control
    assert isinstance(control, Bank)
    for thought in pace:
        moved = move.began + thought
        move = replace(move, began=moved, bank=bank_after(move, moved), events=())
        assert timedelta() <= move.bank <= control.cap


@given(moves(*BANKS), moments(), moments())
def test_longer_thinking_leaves_no_more_in_the_bank(move: Owed, one: datetime, other: datetime) -> None:
    assert bank_after(move, min(one, other)) >= bank_after(move, max(one, other))


@given(moves(*BANKS), moments(days=40), pauses())
def test_pause_takes_nothing_from_the_bank(move: Owed, moved: datetime, pause: Event) -> None:
    assert bank_after(replace(move, events=(*move.events, pause)), moved) >= bank_after(move, moved)


# Half time


@given(moves())
def test_half_of_the_time_is_used_at_half_time(move: Owed) -> None:
    half = half_time(move)
    assert half is not None
    assert move.began <= half <= due(move)
    assert abs(2 * used(move, half) - used(move, due(move))) <= SECOND


def test_half_time_counts_running_time() -> None:
    assert half_time(owed("3d")) == when("2026-03-04 00:00")
    assert half_time(owed("3d", vacation("2026-03-02 18:00", "2026-03-07 18:00"))) == when("2026-03-09 00:00")
    assert half_time(owed("daily 20:00")) == when("2026-03-03 03:30")


@given(moves())
def test_grace_period_follows_the_deadline(move: Owed) -> None:
    assert grace_until(move) == due(move) + move.terms.grace


# Gifts


@pytest.mark.parametrize(
    ("time", "given_at", "moment"),
    [
        ("3d", "2026-03-02 12:00", "2026-03-06 12:00"),
        ("3d", "2026-03-05 11:59", "2026-03-06 12:00"),
        ("daily 20:00", "2026-03-02 12:00", "2026-03-04 19:00"),
        # The deadline has passed: from now on.
        ("3d", "2026-03-08 09:00", "2026-03-09 09:00"),
    ],
)
def test_gift_of_a_day_moves_the_deadline(time: str, given_at: str, moment: str) -> None:
    move = owed(time)
    assert due(replace(move, events=(gift(move, "1d", when(given_at)),))) == when(moment)


def test_gift_does_not_run_at_weekends_off() -> None:
    move = replace(owed("1d", weekends="off"), began=when("2026-03-05 12:00"))
    assert due(replace(move, events=(gift(move, "1d", BEGAN),))) == when("2026-03-09 12:00")


def test_two_gifts_of_one_moment_both_count() -> None:
    """The second is added to the deadline that an outage postpones because of the first."""
    move = owed("3d", outage("2026-03-05 14:00", "2026-03-05 14:00"))
    for text in ("2h", "1h"):
        move = replace(move, events=(*move.events, gift(move, text, when("2026-03-05 14:00"))))
    assert due(move) == when("2026-03-06 15:00")


@given(moves(), moments(days=40), st.sampled_from(["1h", "1d", "7d"]))
def test_gift_never_shortens_the_time(move: Owed, now: datetime, text: str) -> None:
    now = max([now, move.began, *(event.said_at for event in move.events)])
    given = gift(move, text, now)
    after = replace(move, events=(*move.events, given))
    assert due(after) >= max(due(move), now) + {"1h": HOUR, "1d": DAY, "7d": 7 * DAY}[text]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8d", "A gift of time must be 1 hour to 7 days; 8 days is too long."),
        ("30m", "A gift of time must be 1 hour to 7 days; 30 minutes is too short."),
        ("a bit", "“a bit” is not a length of time; write give 1d, or give 12h."),
    ],
)
def test_invalid_gifts_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadTime) as problem:
        gift(owed(), text, BEGAN)
    assert str(problem.value) == message

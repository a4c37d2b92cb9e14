"""Weeks, weekends and months as people name them."""

from __future__ import annotations

from datetime import date

import pytest

from server.clock.errors import BadTime
from server.clock.periods import read_end, read_period

MONDAY, SATURDAY = date(2026, 11, 23), date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "today", "first", "last"),
    [
        ("next week", MONDAY, "2026-11-30", "2026-12-06"),
        ("all next week", MONDAY, "2026-11-30", "2026-12-06"),
        ("this week", SATURDAY, "2026-11-28", "2026-11-29"),
        ("this weekend", MONDAY, "2026-11-28", "2026-11-29"),
        ("the coming weekend", MONDAY, "2026-11-28", "2026-11-29"),
        ("over the weekend", MONDAY, "2026-11-28", "2026-11-29"),
        ("next weekend", SATURDAY, "2026-12-05", "2026-12-06"),
        ("next month", MONDAY, "2026-12-01", "2026-12-31"),
        ("this month", MONDAY, "2026-11-23", "2026-11-30"),
    ],
)
def test_periods_are_read(text: str, today: date, first: str, last: str) -> None:
    assert read_period(text, today) == (date.fromisoformat(first), date.fromisoformat(last))


def test_next_weekend_is_ambiguous() -> None:
    with pytest.raises(BadTime) as problem:
        read_period("next weekend", MONDAY)
    assert str(problem.value) == (
        "“next weekend” may be two weekends; write 2026-11-28 to 2026-11-29 or 2026-12-05 to 2026-12-06."
    )


@pytest.mark.parametrize(
    "text",
    ["", "week", "the next week", "for the next week", "a week", "two weeks", "next", "next year", "month"],
)
def test_other_texts_are_no_period(text: str) -> None:
    assert read_period(text, MONDAY) is None


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("the end of the week", "2026-11-29"),
        ("end of month", "2026-11-30"),
        ("the end of this year", "2026-12-31"),
        ("the end of December", "2026-12-31"),
        ("end of February", "2027-02-28"),
        ("the end of listopad", None),
        ("the end of it", None),
        ("the end", None),
    ],
)
def test_period_ends_are_read(text: str, end: str | None) -> None:
    assert read_end(text, MONDAY) == (None if end is None else date.fromisoformat(end))

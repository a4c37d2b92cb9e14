"""Lengths of time: reading, writing, wording."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock.errors import BadTime
from server.clock.spans import DAY, HOUR, YEAR, briefly, in_words, limited, read_span, roughly, write_span


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("3d", "3d"),
        ("12h", "12h"),
        ("1w", "7d"),
        ("90m", "1h30m"),
        ("36h", "1d12h"),
        ("1d12h", "1d12h"),
        ("12h1d", "1d12h"),
        (" 1D  12H ", "1d12h"),
        ("3 days", "3d"),
        ("1 day and 12 hours", "1d12h"),
        ("1 week, 2 days, 3 hrs, and 4 mins", "9d3h4m"),
        ("two weeks", "14d"),
        ("a week", "7d"),
        ("an hour", "1h"),
        ("a fortnight", "14d"),
        ("Three days and twelve hours", "3d12h"),
        ("365d", "365d"),
        ("0", "0"),
        ("0h", "0"),
        ("none", "0"),
        ("off", "0"),
    ],
)
def test_lengths_of_time_are_read(text: str, canonical: str) -> None:
    assert write_span(read_span(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "3x",
        "3",
        "d",
        "1.5d",
        "1,5d",
        "-3d",
        "3d 3d",
        "1d1day",
        "3 months",
        "3mo",
        "1y",
        "3d and",
        "３d",
        "٣d",
        "a",
        "two",
        "aweek",
        "a few days",
        "a week a week",
    ],
)
def test_invalid_lengths_of_time_are_refused(text: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_span(text)
    assert str(problem.value) == f"“{text}” is not a length of time; write 3d, 12h or 1w."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "A length of time is missing; write 3d, 12h or 1w."),
        ("366d", "“366d” is longer than a year; write 3d, 12h or 1w."),
        ("999999w", "“999999w” is longer than a year; write 3d, 12h or 1w."),
        ("x" * 80, f"“{'x' * 59}…” is not a length of time; write 3d, 12h or 1w."),
        ("a\x1b[2J\nb", "“a?[2J b” is not a length of time; write 3d, 12h or 1w."),
    ],
)
def test_refusals_of_lengths_of_time(text: str, message: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_span(text)
    assert str(problem.value) == message


@given(st.integers(0, YEAR // timedelta(minutes=1)))
def test_written_length_reads_back(minutes: int) -> None:
    span = timedelta(minutes=minutes)
    assert read_span(write_span(span)) == span
    assert read_span(in_words(span).replace("no time", "none")) == span


@pytest.mark.parametrize(
    ("span", "exact", "rough"),
    [
        (timedelta(), "no time", "no time"),
        (timedelta(seconds=59), "less than a minute", "less than a minute"),
        (timedelta(minutes=1), "1 minute", "1 minute"),
        (timedelta(hours=1, seconds=59), "1 hour", "1 hour"),
        (
            timedelta(days=6, hours=23, minutes=59, seconds=59),
            "6 days, 23 hours and 59 minutes",
            "6 days and 23 hours",
        ),
        (timedelta(days=1, minutes=5), "1 day and 5 minutes", "1 day and 5 minutes"),
    ],
)
def test_lengths_of_time_are_described_in_words(span: timedelta, exact: str, rough: str) -> None:
    assert in_words(span) == exact
    assert roughly(span) == rough


def test_negative_length_raises() -> None:
    with pytest.raises(ValueError, match="below zero"):
        in_words(timedelta(seconds=-1))


@pytest.mark.parametrize(
    ("span", "least", "message"),
    [
        (timedelta(), HOUR, "The grace must be 1 hour to 1 day; no time is too short."),
        (2 * DAY, HOUR, "The grace must be 1 hour to 1 day; 2 days is too long."),
        (2 * DAY, timedelta(), "The grace must be at most 1 day; 2 days is too long."),
    ],
)
def test_lengths_of_time_have_limits(span: timedelta, least: timedelta, message: str) -> None:
    with pytest.raises(BadTime) as problem:
        limited(span, "The grace", least, DAY)
    assert str(problem.value) == message


@pytest.mark.parametrize(
    ("text", "brief"),
    [("2d4h59m", "2 d 4 h"), ("1d", "1 d"), ("1d5m", "1 d 5 min"), ("4h30m", "4 h 30 min"), ("12m", "12 min")],
)
def test_lengths_of_time_in_short_form(text: str, brief: str) -> None:
    assert briefly(read_span(text)) == brief
    assert briefly(read_span(text) + timedelta(seconds=59)) == brief


def test_less_than_a_minute_in_short_form() -> None:
    assert briefly(timedelta(seconds=59)) == briefly(timedelta()) == "less than 1 min"

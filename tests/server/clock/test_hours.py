"""Times of day as people write them."""

from __future__ import annotations

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock.errors import BadTime
from server.clock.hours import find_clock, read_clock, split_clock


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("18:00", "18:00"),
        ("6:05", "06:05"),
        ("18.30", "18:30"),
        ("18h30", "18:30"),
        ("18h", "18:00"),
        ("18:00 Uhr", "18:00"),
        ("6pm", "18:00"),
        ("6 p.m.", "18:00"),
        ("6:30 PM", "18:30"),
        ("12am", "00:00"),
        ("12pm", "12:00"),
        ("20", "20:00"),
        ("0", "00:00"),
        ("half past six pm", "18:30"),
        ("half past six in the morning", "06:30"),
        ("quarter to seven in the evening", "18:45"),
        ("ten to 12 am", "23:50"),
        ("six o'clock in the evening", "18:00"),
        ("9 at night", "21:00"),
        ("2 at night", "02:00"),
        ("noon", "12:00"),
        ("Midnight", "00:00"),
    ],
)
def test_times_of_day_are_read(text: str, clock: str) -> None:
    assert read_clock(text) == time.fromisoformat(clock)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("half past six", "“half past six” may be 06:30 or 18:30; write one of them."),
        ("quarter to one", "“quarter to one” may be 00:45 or 12:45; write one of them."),
        ("six o'clock", "“six o'clock” may be 06:00 or 18:00; write one of them."),
        ("12", "“12” may be 00:00 or 12:00; write one of them."),
        ("24:00", "“24:00” is not a time of day; write 00:00 to 23:59."),
        ("18:60", "“18:60” is not a time of day; write 00:00 to 23:59."),
        ("13pm", "“13pm” is not a time of day; write 00:00 to 23:59."),
        ("half past thirty", "“half past thirty” is not a time of day; write 00:00 to 23:59."),
        ("18:00 sharp", "“18:00 sharp” is not a time of day; write 00:00 to 23:59."),
        ("", "“” is not a time of day; write 00:00 to 23:59."),
        ("1800", "“1800” is not a time of day; write 00:00 to 23:59."),
    ],
)
def test_ambiguous_and_invalid_times_of_day_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_clock(text)
    assert str(problem.value) == sentence


def test_words_after_a_time_of_day_are_kept() -> None:
    assert split_clock("6 pm New York") == (time(18), "New York")
    assert split_clock("18:00 UTC+2") == (time(18), "UTC+2")
    assert split_clock("Berlin") is None
    assert find_clock(["7d+1d"]) is None
    assert find_clock(["mon,thu", "at", "half", "past", "six"]) == 2
    assert find_clock(["18:00", "daily", "18:00"], 1) == 2


@given(st.times())
def test_each_time_of_day_reads_back(clock: time) -> None:
    clock = clock.replace(second=0, microsecond=0)
    assert read_clock(f"{clock:%H:%M}") == read_clock(f"{clock:%I:%M %p}") == clock

"""Time controls: reading, writing, wording."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from server.clock.controls import Bank, Control, Fixed, PerMove, Untimed, hint, read_control
from server.clock.errors import BadTime
from server.clock.moments import exists_once
from server.clock.spans import DAY, HOUR, YEAR
from tests.support.server.time_controls import BERLIN, QUARTER, UTC_ZONE, ZONES, spans, when


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("3d", "3d"),
        ("1h", "1h"),
        ("1w", "7d"),
        ("1 day and 12 hours", "1d12h"),
        ("7d+1d/14d", "7d+1d/14d"),
        ("7d + 1d / 14d", "7d+1d/14d"),
        # No cap is written: twice the larger of the two.
        ("7d+1d", "7d+1d/14d"),
        ("1d+3d", "1d+3d/6d"),
        ("300d+1d", "300d+1d/365d"),
        ("90d+0", "90d+0/180d"),
        ("daily 20:00 Europe/Berlin", "daily 20:00 Europe/Berlin"),
        ("Daily 8:05", "daily 08:05 Europe/Berlin"),
        ("daily at 20:00 america/new york", "daily 20:00 America/New_York"),
        ("thu,mon 18:00 UTC", "mon,thu 18:00 UTC"),
        ("every Monday and Thursday at 18:00", "mon,thu 18:00 Europe/Berlin"),
        ("weekly sun 00:00", "sun 00:00 Europe/Berlin"),
        ("mon,mon 18:00", "mon 18:00 Europe/Berlin"),
        ("sun,mon,tue,wed,thu,fri,sat 20:00", "daily 20:00 Europe/Berlin"),
        ("none", "none"),
        ("NONE", "none"),
        ("no time limit", "none"),
        ("unlimited", "none"),
        # As people write it.
        ("daily 8pm", "daily 20:00 Europe/Berlin"),
        ("every day at half past eight pm New York", "daily 20:30 America/New_York"),
        ("Mondays and Thursdays 18.00", "mon,thu 18:00 Europe/Berlin"),
        ("mon 18:00 UTC+2", "mon 18:00 UTC+2"),
        ("3 days per move", "3d"),
        ("a week", "7d"),
        ("12 hours", "12h"),
        ("3d/move", "3d"),
        ("one move a day", "1d"),
        ("1 move every 3 days", "3d"),
        ("24h each", "1d"),
        ("1 day + 12h", "1d+12h/2d"),
        ("a week plus one day per move", "7d+1d/14d"),
    ],
)
def test_time_controls_are_read(text: str, canonical: str) -> None:
    control = read_control(text, BERLIN)
    assert control.write() == canonical
    assert read_control(canonical, UTC_ZONE) == control


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3x", "“3x” is not a length of time; write 3d, 12h or 1w."),
        ("59m", "The time for a move must be 1 hour to 365 days; 59 minutes is too short."),
        ("0", "The time for a move must be 1 hour to 365 days; no time is too short."),
        ("7d+", "A length of time is missing; write 3d, 12h or 1w."),
        ("7d+1d/", "A length of time is missing; write 3d, 12h or 1w."),
        ("30m+1d", "The bank must be 1 hour to 365 days; 30 minutes is too short."),
        ("7d+1d/3d", "The cap on the bank must be 7 days to 365 days; 3 days is too short."),
        ("1d+3d/2d", "The cap on the bank must be 3 days to 365 days; 2 days is too short."),
        ("daily", "“daily” does not name a time of day; write daily 20:00."),
        ("daily 24:00", "“24:00” is not a time of day; write 00:00 to 23:59."),
        ("daily 8", "“8” may be 08:00 or 20:00; write one of them."),
        ("18:00", "“18:00” does not name a day; write daily 20:00, or mon,thu 18:00."),
        ("mon,foo 18:00", "“foo” is not a day of the week; write mon, tue, wed, thu, fri, sat or sun."),
        ("daily mon 18:00", "“daily” is not a day of the week; write mon, tue, wed, thu, fri, sat or sun."),
        ("mon 18:00 Germny", "“Germny” is not a time zone. Did you mean Europe/Berlin?"),
        (
            "fast",
            "“fast” is not a time control, the time for each move; write 3d for each move, 7d+1d/14d for "
            "a bank, daily 20:00, mon,thu 18:00, or none.",
        ),
        (
            "",
            "The time control is missing; write 3d for each move, 7d+1d/14d for a bank, daily 20:00, "
            "mon,thu 18:00, or none.",
        ),
    ],
)
def test_invalid_time_controls_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_control(text, BERLIN)
    assert str(problem.value) == message


_HINT = (
    "3d: three days for each move; 7d+1d/14d: 7 days in a time bank, and 1 day more after each move, up to "
    "14 days; none: no deadline"
)


@pytest.mark.parametrize(
    ("simultaneous", "text"),
    [
        (False, _HINT + "."),
        (True, _HINT + "; daily 20:00, or mon,thu 18:00: orders are due at these times."),
    ],
)
def test_time_control_has_a_hint_for_forms(simultaneous: bool, text: str) -> None:
    assert hint(simultaneous=simultaneous) == text


def banks() -> st.SearchStrategy[Bank]:
    return st.builds(Bank, spans(HOUR, 100 * DAY), spans(timedelta(), 100 * DAY), spans(100 * DAY, YEAR))


def fixed() -> st.SearchStrategy[Fixed]:
    days = st.sets(st.integers(0, 6), min_size=1).map(lambda chosen: tuple(sorted(chosen)))
    clocks = st.integers(0, 95).map(lambda quarters: time(quarters // 4, quarters % 4 * 15))
    return st.builds(Fixed, days, clocks, st.sampled_from(ZONES))


@given(st.builds(PerMove, spans(HOUR, YEAR)) | banks() | fixed() | st.just(Untimed()))
def test_written_time_control_reads_back(control: Control) -> None:
    assert read_control(control.write(), BERLIN) == control


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3d", "Each move may take up to 3 days."),
        (
            "7d+1d",
            "Each player has a time bank of 7 days, from which the time for each move is taken; each move adds "
            "1 day, up to 14 days in total.",
        ),
        (
            "90d+0",
            "Each player has a time bank of 90 days, from which the time for each move is taken; nothing is "
            "added.",
        ),
        (
            "mon,wed,thu 18:00 UTC",
            "Orders are due every Monday, Wednesday and Thursday at 18:00, UTC time; the first such time "
            "at least 12 hours after the turn began counts.",
        ),
        ("none", "There is no deadline."),
    ],
)
def test_time_controls_are_described_in_words(text: str, words: str) -> None:
    assert read_control(text, BERLIN).in_words() == words


@pytest.mark.parametrize(("text", "bank"), [("7d+1d", 7 * DAY), ("3d", 0 * DAY), ("none", 0 * DAY)])
def test_first_bank_of_a_time_control(text: str, bank: timedelta) -> None:
    assert read_control(text, BERLIN).first_bank == bank


@pytest.mark.parametrize(
    ("zone", "before", "after"),
    [
        # The day before clocks are changed, and the day on which they are, both at 20:00.
        ("Europe/Berlin", "2026-03-28 19:00", "2026-03-29 18:00"),
        ("Europe/Berlin", "2026-10-24 18:00", "2026-10-25 19:00"),
        ("America/New_York", "2026-03-08 01:00", "2026-03-09 00:00"),
        ("America/New_York", "2026-11-01 00:00", "2026-11-02 01:00"),
        ("Australia/Lord_Howe", "2026-04-04 09:00", "2026-04-05 09:30"),
        ("Australia/Lord_Howe", "2026-10-03 09:30", "2026-10-04 09:00"),
        ("Asia/Kathmandu", "2026-03-28 14:15", "2026-03-29 14:15"),
        ("America/Sao_Paulo", "2018-11-03 23:00", "2018-11-04 22:00"),
        ("America/Sao_Paulo", "2019-02-16 22:00", "2019-02-17 23:00"),
        ("Pacific/Apia", "2020-09-26 07:00", "2020-09-27 06:00"),
        ("Pacific/Apia", "2021-04-03 06:00", "2021-04-04 07:00"),
        # 30 December 2011 was left out.
        ("Pacific/Apia", "2011-12-30 06:00", "2011-12-31 06:00"),
    ],
)
def test_daily_moment_when_daylight_saving_changes(zone: str, before: str, after: str) -> None:
    control = read_control(f"daily 20:00 {zone}", UTC_ZONE)
    assert isinstance(control, Fixed)
    found = list(islice(control.after(when(before) - HOUR), 2))
    assert found == [when(before), when(after)]
    assert next(control.after(found[0])) == found[1]


STARTS = st.integers(0, 96 * 365 * 20).map(lambda quarters: when("2010-01-01 00:00") + quarters * QUARTER)


@given(fixed(), STARTS)
def test_moments_are_in_local_time(control: Fixed, start: datetime) -> None:
    """Look at the clocks of the zone every quarter of an hour, for nine days."""
    quarters = [(start + n * QUARTER).astimezone(control.zone) for n in range(1, 9 * 96)]
    days = {local.date() for local in quarters}
    assume(all(exists_once(day, control.clock, control.zone) for day in days))
    seen = [local for local in quarters if local.time() == control.clock and local.weekday() in control.days]
    assert list(islice(control.after(start), len(seen))) == seen


@given(fixed(), STARTS)
def test_moments_are_in_order_and_every_week(control: Fixed, start: datetime) -> None:
    found = [start, *islice(control.after(start), 20)]
    steps = [later - earlier for earlier, later in pairwise(found)]
    assert all(timedelta() < step <= 8 * DAY for step in steps)


@pytest.mark.parametrize(
    ("text", "always"),
    [
        ("daily 20:00 Europe/Berlin", True),
        ("daily 02:30 Europe/Berlin", False),
        ("sun 02:30 Europe/Berlin", False),
        # Clocks are changed on Sundays.
        ("mon,tue,wed,thu,fri,sat 02:30 Europe/Berlin", True),
        ("daily 02:15 Australia/Lord_Howe", False),
        ("daily 02:45 Australia/Lord_Howe", True),
        ("daily 02:30 Asia/Kathmandu", True),
    ],
)
def test_moment_may_not_exist_when_daylight_saving_changes(text: str, always: bool) -> None:
    control = read_control(text, UTC_ZONE)
    assert isinstance(control, Fixed)
    assert control.always_exists(when("2026-03-01 12:00")) is always


def test_missing_moment_is_later_and_repeated_one_is_the_second() -> None:
    control = Fixed((6,), time(2, 30), ZoneInfo("Europe/Berlin"))
    assert next(control.after(when("2026-03-28 12:00"))) == when("2026-03-29 01:30")
    assert next(control.after(when("2026-10-24 12:00"))) == when("2026-10-25 01:30")

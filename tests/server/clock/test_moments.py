"""Moments: dates, zones, and clocks that are changed."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.clock.errors import BadTime
from server.clock.moments import (
    at,
    day_start,
    exists_once,
    read_date,
    read_moment,
    write_moment,
    write_offset,
)
from tests.support.folders import ROOT
from tests.support.server.time_controls import ZONES, when

DATES = st.dates(date(2005, 1, 1), date(2045, 12, 31))
CLOCKS = st.times().map(lambda clock: clock.replace(second=0, microsecond=0))


@pytest.mark.parametrize(
    ("zone", "local", "utc"),
    [
        # Clocks are put forward from 02:00 to 03:00: a time that does not exist is later by an hour.
        ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29 01:30"),
        ("Europe/Berlin", "2026-03-29 02:00", "2026-03-29 01:00"),
        ("Europe/Berlin", "2026-03-29 03:00", "2026-03-29 01:00"),
        # They are put back from 03:00 to 02:00: of a time that exists twice the second counts.
        ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25 01:30"),
        ("Europe/Berlin", "2026-10-25 02:00", "2026-10-25 01:00"),
        ("Europe/Berlin", "2026-10-25 03:00", "2026-10-25 02:00"),
        ("America/New_York", "2026-03-08 02:30", "2026-03-08 07:30"),
        ("America/New_York", "2026-11-01 01:30", "2026-11-01 06:30"),
        # By half an hour.
        ("Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-03 15:45"),
        ("Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04 15:15"),
        # Never.
        ("Asia/Kathmandu", "2026-03-29 02:30", "2026-03-28 20:45"),
        # At midnight.
        ("America/Sao_Paulo", "2018-11-04 00:15", "2018-11-04 03:15"),
        ("America/Sao_Paulo", "2019-02-16 23:30", "2019-02-17 02:30"),
        # A day that was left out.
        ("Pacific/Apia", "2011-12-30 20:00", "2011-12-31 06:00"),
        ("Pacific/Apia", "2011-12-31 20:00", "2011-12-31 06:00"),
    ],
)
def test_moments_around_daylight_saving_changes(zone: str, local: str, utc: str) -> None:
    written = datetime.fromisoformat(local)
    assert at(written.date(), written.time(), ZoneInfo(zone)) == when(utc)


@given(DATES, CLOCKS, st.sampled_from(ZONES))
def test_moment_has_the_written_time_or_is_later(day: date, clock: time, zone: ZoneInfo) -> None:
    moment = at(day, clock, zone)
    shown = moment.astimezone(zone)
    if exists_once(day, clock, zone):
        assert (shown.date(), shown.time()) == (day, clock)
        return
    assert shown.replace(tzinfo=None) >= datetime.combine(day, clock)
    hour_before = (moment - timedelta(hours=1)).astimezone(zone)
    assert hour_before.utcoffset() != shown.utcoffset() or zone.key == "Pacific/Apia"


def test_evenings_always_exist() -> None:
    days = [date(2026, 1, 1) + timedelta(days=n) for n in range(730)]
    assert all(exists_once(day, time(20), zone) for day in days for zone in ZONES)
    assert sum(not exists_once(day, time(2, 30), ZONES[0]) for day in days) == 4


@pytest.mark.parametrize(
    ("zone", "day", "utc"),
    [
        ("Europe/Berlin", "2026-03-29", "2026-03-28 23:00"),
        ("Asia/Kathmandu", "2026-01-01", "2025-12-31 18:15"),
        # 00:00 does not exist: the day begins at 01:00.
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04 03:00"),
        # 00:00 exists twice: the day begins at the first.
        ("America/Havana", "2026-11-01", "2026-11-01 04:00"),
        ("Pacific/Apia", "2011-12-31", "2011-12-30 10:00"),
    ],
)
def test_start_of_a_day(zone: str, day: str, utc: str) -> None:
    assert day_start(date.fromisoformat(day), ZoneInfo(zone)) == when(utc)


@given(DATES, st.sampled_from([*ZONES, ZoneInfo("America/Havana")]))
def test_day_begins_with_its_first_moment(day: date, zone: ZoneInfo) -> None:
    start = day_start(day, zone)
    assert start.astimezone(zone).date() == day or (zone.key, day) == ("Pacific/Apia", date(2011, 12, 30))
    assert (start - timedelta(microseconds=1)).astimezone(zone).date() < day


@pytest.mark.parametrize(
    ("utc", "zone", "text"),
    [
        ("2026-03-03 19:00", "Europe/Berlin", "Tue 3 March 2026, 20:00 Europe/Berlin (UTC+1)"),
        ("2026-07-03 18:00", "Europe/Berlin", "Fri 3 July 2026, 20:00 Europe/Berlin (UTC+2)"),
        ("2026-10-25 00:30", "Europe/Berlin", "Sun 25 October 2026, 02:30 Europe/Berlin (UTC+2)"),
        ("2026-10-25 01:30", "Europe/Berlin", "Sun 25 October 2026, 02:30 Europe/Berlin (UTC+1)"),
        ("2026-03-03 19:00", "Asia/Kathmandu", "Wed 4 March 2026, 00:45 Asia/Kathmandu (UTC+5:45)"),
        ("2026-03-03 02:00", "America/St_Johns", "Mon 2 March 2026, 22:30 America/St_Johns (UTC-3:30)"),
        ("2026-03-03 19:00", "Europe/London", "Tue 3 March 2026, 19:00 Europe/London (UTC+0)"),
        ("2026-12-31 23:59:59", "UTC", "Thu 31 December 2026, 23:59 UTC"),
    ],
)
def test_moments_are_written_for_players(utc: str, zone: str, text: str) -> None:
    assert write_moment(when(utc), ZoneInfo(zone)) == text


def test_future_moment_in_utc_shows_the_time_until_it() -> None:
    now, utc = when("2026-03-01 12:00"), ZoneInfo("UTC")
    assert write_moment(when("2026-03-04 11:00"), utc, now).endswith("11:00 UTC (in 2 days and 23 hours)")
    assert write_moment(now, utc, now).endswith("12:00 UTC")
    assert write_moment(when("2026-03-04 11:00"), ZoneInfo("Europe/London"), now).endswith("London (UTC+0)")


@pytest.mark.parametrize("package", ["game", "inbound", "outbound", "tournaments", "web"])
def test_only_this_module_writes_moments_for_players(package: str) -> None:
    """So each has a zone, that of its reader. Other programs read ISO 8601."""
    for file in (ROOT / "server" / package).rglob("*.py"):
        assert not re.search(r"%H:%M(?!Z|:%SZ)|strftime", file.read_text(encoding="utf-8")), file


def test_moment_without_a_zone_raises() -> None:
    with pytest.raises(ValueError, match="without a time zone"):
        write_moment(datetime(2026, 3, 3), ZONES[0])  # noqa: DTZ001 - the point of the test


def test_offsets_are_written() -> None:
    assert write_offset(timedelta(hours=-9, minutes=-30)) == "UTC-9:30"
    assert write_offset(timedelta(hours=14)) == "UTC+14"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("20.12.2026", "“20.12.2026” is not a date; write year-month-day, such as 2026-12-20."),
        ("12/20/2026", "“12/20/2026” is not a date; write year-month-day, such as 2026-12-20."),
        ("tomorrow", "“tomorrow” is not a date; write year-month-day, such as 2026-12-20."),
        ("2026-02-29", "There is no day 2026-02-29; write year-month-day, such as 2026-12-20."),
        ("2026-13-01", "There is no day 2026-13-01; write year-month-day, such as 2026-12-20."),
        ("0000-01-01", "There is no day 0000-01-01; write year-month-day, such as 2026-12-20."),
    ],
)
def test_invalid_dates_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadTime) as problem:
        read_date(text)
    assert str(problem.value) == message


@given(st.dates())
def test_date_reads_back(day: date) -> None:
    assert read_date(f" {day.isoformat()} ") == day


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("18:00", "2026-03-02 18:00"),
        ("12:00", "2026-03-03 12:00"),
        ("12:30 Europe/Berlin", "2026-03-03 11:30"),
        ("0:15 america/los angeles", "2026-03-03 08:15"),
        ("2026-03-29 02:30 Europe/Berlin", "2026-03-29 01:30"),
        (" 2026-3-1  9:05 ", "2026-03-01 09:05"),
    ],
)
def test_moments_are_read(text: str, utc: str) -> None:
    assert read_moment(text, when("2026-03-02 12:00")) == when(utc)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "“” is not a time of day"),
        ("tomorrow", "“tomorrow” is not a time of day; write 00:00 to 23:59."),
        ("24:00", "“24:00” is not a time of day"),
        ("2026-03-29", "“” is not a time of day"),
        ("2026-02-30 12:00", "There is no day 2026-02-30"),
        ("18:00 Berln", "Did you mean Europe/Berlin or"),
    ],
)
def test_invalid_moments_are_refused(text: str, hint: str) -> None:
    with pytest.raises(BadTime, match=re.escape(hint)):
        read_moment(text, when("2026-03-02 12:00"))

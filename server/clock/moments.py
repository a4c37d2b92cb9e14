"""Moments and dates as people write and read them.

A moment is an aware datetime, in UTC for computing and storing. Python's datetimes know no leap seconds: a
clock that inserts one repeats or stretches a second, which looks like a jump of the clock by one second, and
jumps are harmless (see `pauses`).
"""

import calendar
import re
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from rules.sentences import quoted
from server.clock.errors import BadTime
from server.clock.hours import read_clock
from server.clock.spans import roughly
from server.clock.zones import is_offset, read_zone, zone_name

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
"""The days of the week, in the order of `date.weekday()`, from 0."""
MONTHS = tuple(calendar.month_name[1:])

_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")


def at(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """Return the moment, in UTC, at which clocks in the zone show `clock` on `day`.

    A time that exists twice, when clocks are put back, means the second. A time that does not exist, when
    clocks are put forward, is later by the time skipped: 02:30 becomes 03:30. So a deadline is never earlier
    than any reading of its text.
    """
    return max(_reading(day, clock, zone, fold=0), _reading(day, clock, zone, fold=1))


def exists_once(day: date, clock: time, zone: ZoneInfo) -> bool:
    """Return True if clocks in the zone show this time on this day exactly once."""
    return _reading(day, clock, zone, fold=0) == _reading(day, clock, zone, fold=1)


def day_start(day: date, zone: ZoneInfo) -> datetime:
    """Return the first moment of a day in the zone, in UTC, also where clocks change at midnight."""
    return _reading(day, time(), zone, fold=0)


def write_moment(moment: datetime, zone: ZoneInfo, now: datetime | None = None) -> str:
    """Return a moment with zone and offset: "Tue 3 March 2026, 20:00 Europe/Berlin (UTC+1)".

    Seconds are left out, so the text is never later than the moment. In UTC, the zone of readers whose own is
    not known, a moment after `now` also has the time until then: "Tue 3 March 2026, 19:00 UTC (in 2 days and 23
    hours)". Raises ValueError for a moment without a time zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone")
    name = zone_at(zone, moment)
    if name == "UTC" and now is not None and moment > now:
        name = f"{name} (in {roughly(moment - now)})"
    return f"{write_local(moment, zone)} {name}"


def write_local(moment: datetime, zone: ZoneInfo) -> str:
    """Return a moment for a reader who knows its zone: "Tue 3 March 2026, 20:00"."""
    local = moment.astimezone(zone)
    return f"{DAYS[local.weekday()]} {local.day} {MONTHS[local.month - 1]} {local.year}, {local:%H:%M}"


def zone_at(zone: ZoneInfo, moment: datetime) -> str:
    """Return a zone with its offset at a moment: "Europe/Berlin (UTC+1)", "UTC+2"."""
    name = zone_name(zone)
    if name == "UTC" or is_offset(zone):
        return name
    return f"{name} ({write_offset(moment.astimezone(zone).utcoffset() or timedelta())})"


def write_soon(moment: datetime, zone: ZoneInfo, now: datetime) -> str:
    """Return a short form of a moment: "Wed 18:00 UTC+1", with its date if that is not within six days."""
    local = moment.astimezone(zone)
    offset = "UTC" if zone_name(zone) == "UTC" else write_offset(local.utcoffset() or timedelta())
    far = abs(moment - now) > timedelta(days=6)
    date = f" {local.day} {MONTHS[local.month - 1]}," if far else ""
    return f"{DAYS[local.weekday()]}{date} {local:%H:%M} {offset}"


def write_offset(offset: timedelta) -> str:
    """Return an offset from UTC: "UTC+1", "UTC-3", "UTC+5:45"."""
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    sign = "-" if offset < timedelta() else "+"
    return f"UTC{sign}{hours}:{minutes:02}" if minutes else f"UTC{sign}{hours}"


def read_date(text: str) -> date:
    """Return the day that a text names, as 2026-12-20. Raises BadTime."""
    parts = _DATE.fullmatch(text.strip())
    if parts is None:
        raise BadTime(f"{quoted(text)} is not a date; write year-month-day, such as 2026-12-20.")
    try:
        return date(int(parts[1]), int(parts[2]), int(parts[3]))
    except ValueError:
        raise BadTime(f"There is no day {text.strip()}; write year-month-day, such as 2026-12-20.") from None


def read_moment(text: str, now: datetime) -> datetime:
    """Return the moment, in UTC, that a text names: "2026-12-20 18:00 Europe/Berlin"; UTC is the default zone.

    Without a date it is the next time at which clocks show that. Raises BadTime.
    """
    words = text.split()
    day = read_date(words.pop(0)) if words and _DATE.match(words[0]) else None
    clock = read_clock(words.pop(0) if words else "")
    zone = read_zone(" ".join(words)) if words else ZoneInfo("UTC")
    if day is not None:
        return at(day, clock, zone)
    today = now.astimezone(zone).date()
    days = (today + timedelta(days=ahead) for ahead in range(3))
    return next(moment for day in days if (moment := at(day, clock, zone)) > now)


def _reading(day: date, clock: time, zone: ZoneInfo, fold: int) -> datetime:
    return datetime.combine(day, clock, zone).replace(fold=fold).astimezone(UTC)

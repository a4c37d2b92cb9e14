"""Time controls: how much time there is for a move. Written, read, and said in plain words.

::

    3d              three days for each move
    7d+1d/14d       seven days in the bank, one more after each move, never above fourteen
    daily 20:00 Europe/Berlin       at a fixed moment, for simultaneous orders
    mon,thu 18:00 UTC
    none            no deadline
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from rules.sentences import listed
from server.clock.errors import BadTime, shown
from server.clock.moments import DAYS, at, exists_once, read_zone
from server.clock.spans import DAY, HOUR, YEAR, ZERO, in_words, limited, read_span, write_span

LEAST = 12 * HOUR
"""A fixed moment that is nearer than this when a turn begins is left to the next turn."""


@dataclass(frozen=True)
class PerMove:
    """`span` for each move, from an hour to a year."""

    span: timedelta


@dataclass(frozen=True)
class Bank:
    """`start` to begin with and `increment` after each move, up to `cap`, which is not below either of them."""

    start: timedelta
    increment: timedelta
    cap: timedelta


@dataclass(frozen=True)
class Fixed:
    """On some days of the week, `days` from 0 for Monday, ascending, when clocks in `zone` show `clock`."""

    days: tuple[int, ...]
    clock: time
    zone: ZoneInfo

    def after(self, moment: datetime) -> Iterator[datetime]:
        """All moments of this control later than `moment`, ascending, in UTC, without end."""
        day = moment.astimezone(self.zone).date() - DAY
        while True:
            if day.weekday() in self.days:
                found = at(day, self.clock, self.zone)
                if found > moment:
                    yield found
                    moment = found
            day += DAY

    def always_exists(self, now: datetime) -> bool:
        """Whether every moment of the year after `now` exists exactly once, whatever clocks are changed."""
        today = now.astimezone(self.zone).date()
        days = (today + DAY * ahead for ahead in range(366))
        return all(exists_once(day, self.clock, self.zone) for day in days if day.weekday() in self.days)


@dataclass(frozen=True)
class Untimed:
    """No deadline."""


Control = PerMove | Bank | Fixed | Untimed

_AS_IN = "write 3d for each move, 7d+1d/14d for a bank, daily 20:00, mon,thu 18:00, or none."
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMED = {name: number for number, name in enumerate(_DAY_NAMES)} | {
    name.lower(): number for number, name in enumerate(DAYS)
}
_EVERY_DAY = tuple(range(7))
_NOISE = frozenset({"every", "weekly", "on", "and", "at"})
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})")


def read_control(text: str, zone: ZoneInfo) -> Control:
    """The time control that a text describes; `zone` is that of fixed moments that name none. Raises BadTime.

    A bank without a cap is capped at twice the larger of bank and increment: 7d+1d is 7d+1d/14d.
    """
    words = [word for word in re.split(r"[\s,]+", text) if word and word.lower() not in _NOISE]
    if not words:
        raise BadTime(f"The time control is missing; {_AS_IN}")
    first = words[0].lower()
    if first == "none" and len(words) == 1:
        return Untimed()
    if first == "daily" or first in _NAMED:
        return _read_fixed(words, zone)
    if "+" in text:
        return _read_bank(text)
    if first[0].isdigit() and ":" in first:
        raise BadTime(f"{shown(text)} names no day; write daily 20:00, or mon,thu 18:00.")
    if first[0].isdigit():
        return PerMove(limited(read_span(text), "The time for a move", HOUR, YEAR))
    raise BadTime(f"{shown(text)} is no time control; {_AS_IN}")


def write_control(control: Control) -> str:
    """The canonical text, which `read_control` reads as the same control in any zone."""
    match control:
        case PerMove(span):
            return write_span(span)
        case Bank(start, increment, cap):
            return f"{write_span(start)}+{write_span(increment)}/{write_span(cap)}"
        case Fixed(days, clock, zone):
            named = "daily" if days == _EVERY_DAY else ",".join(DAYS[day].lower() for day in days)
            return f"{named} {clock:%H:%M} {zone.key}"
        case Untimed():
            return "none"


def control_in_words(control: Control) -> str:
    """What the control means, in one or two sentences for the players."""
    match control:
        case PerMove(span):
            return f"Each move may take {in_words(span)}."
        case Bank(start, increment, cap):
            return _bank_in_words(start, increment, cap)
        case Fixed(days, clock, zone):
            return (
                f"Orders are due {days_in_words(days)} at {clock:%H:%M}, {zone.key} time; "
                f"the first such moment at least {in_words(LEAST)} after the turn began counts."
            )
        case Untimed():
            return "There is no deadline."


def days_in_words(days: tuple[int, ...]) -> str:
    """ "every day", or "every Monday and Thursday"."""
    return (
        "every day" if days == _EVERY_DAY else f"every {listed(_DAY_NAMES[day].capitalize() for day in days)}"
    )


def first_bank(control: Control) -> timedelta:
    """What each seat has in the bank when the game begins; zero where there is no bank."""
    return control.start if isinstance(control, Bank) else ZERO


def _read_bank(text: str) -> Bank:
    start_text, _, rest = text.partition("+")
    increment_text, slash, cap_text = rest.partition("/")
    start = limited(read_span(start_text), "The bank", HOUR, YEAR)
    increment = read_span(increment_text)
    least = max(start, increment)
    cap = limited(read_span(cap_text), "The cap of the bank", least, YEAR) if slash else min(2 * least, YEAR)
    return Bank(start, increment, cap)


def _read_fixed(words: list[str], zone: ZoneInfo) -> Fixed:
    """Days, a time of day, and the words of a zone, or none for `zone`."""
    clock_at = next((i for i, word in enumerate(words) if word[0].isdigit()), None)
    if clock_at is None:
        raise BadTime(f"{shown(' '.join(words))} names no time of day; write {words[0].lower()} 20:00.")
    days = _read_days([word.lower() for word in words[:clock_at]])
    clock = _read_clock(words[clock_at])
    rest = " ".join(words[clock_at + 1 :])
    return Fixed(days, clock, read_zone(rest) if rest else zone)


def _read_days(words: list[str]) -> tuple[int, ...]:
    if words == ["daily"]:
        return _EVERY_DAY
    for word in words:
        if word not in _NAMED:
            raise BadTime(f"{shown(word)} is no day of the week; write mon, tue, wed, thu, fri, sat or sun.")
    return tuple(sorted({_NAMED[word] for word in words}))


def _read_clock(text: str) -> time:
    parts = _CLOCK.fullmatch(text)
    if parts is None or int(parts[1]) > 23 or int(parts[2]) > 59:
        raise BadTime(f"{shown(text)} is no time of day; write 00:00 to 23:59.")
    return time(int(parts[1]), int(parts[2]))


def _bank_in_words(start: timedelta, increment: timedelta, cap: timedelta) -> str:
    bank = f"Each player has {in_words(start)} in the bank, from which the time for each move is taken"
    if not increment:
        return f"{bank}; nothing is added."
    return f"{bank}; each move adds {in_words(increment)}, up to {in_words(cap)} in all."

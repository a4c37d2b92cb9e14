"""The time control daily 20:00 Europe/Berlin, or mon,thu 18:00 UTC: fixed moments, for simultaneous orders."""

import heapq
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from rules.sentences import listed, quoted
from server.clock.controls.control import Control, SeatTime, words_of
from server.clock.errors import BadTime
from server.clock.hours import find_clock, split_clock
from server.clock.moments import DAYS, at, exists_once
from server.clock.pauses import Why, halted, halts, running, walk
from server.clock.spans import DAY, HOUR, in_words
from server.clock.zones import read_zone, zone_name

LEAST = 12 * HOUR
"""The least time between the start of a turn and its moment; a nearer moment is left for the next turn."""

_EVERY = re.compile(r"\b(?:every|each) ?day\b", re.IGNORECASE)
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMED = {
    written: number
    for number, name in enumerate(_DAY_NAMES)
    for written in (name, f"{name}s", DAYS[number].lower())
} | {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
_DAILY = "daily"
_EVERY_DAY = tuple(range(7))
_SATURDAY = 5


@dataclass(frozen=True)
class Fixed(Control):
    """Fixed moments on some `days` of the week, ascending from 0 for Monday, at `clock` in `zone`."""

    as_in = "daily 20:00, mon,thu 18:00"
    hint = "daily 20:00, or mon,thu 18:00: orders are due at these times"
    for_orders = True

    days: tuple[int, ...]
    clock: time
    zone: ZoneInfo

    @classmethod
    def read(cls, text: str, zone: ZoneInfo) -> Self | None:
        """Read a text that begins with a day: days, a time of day, and a zone, or none for `zone`."""
        words = words_of(_EVERY.sub(_DAILY, text))
        first = words[0].lower()
        if first[0].isdigit() and ":" in first and "+" not in text:
            raise BadTime(f"{quoted(text)} does not name a day; write daily 20:00, or mon,thu 18:00.")
        if first != _DAILY and first not in _NAMED:
            return None
        at = find_clock(words, 1)
        found = None if at is None else split_clock(" ".join(words[at:]))
        if found is None:
            raise BadTime(
                f"{quoted(' '.join(words))} does not name a time of day; write {words[0].lower()} 20:00."
            )
        days = _read_days([word.lower() for word in words[:at]])
        clock, rest = found
        return cls(days, clock, read_zone(rest) if rest else zone)

    def write(self) -> str:
        """Return the canonical text: "mon,thu 18:00 UTC"."""
        named = _DAILY if self.days == _EVERY_DAY else ",".join(DAYS[day].lower() for day in self.days)
        return f"{named} {self.clock:%H:%M} {zone_name(self.zone)}"

    def in_words(self) -> str:
        """Return the time at which orders are due."""
        return (
            f"Orders are due {self.days_in_words()} at {self.clock:%H:%M}, {zone_name(self.zone)} time; "
            f"the first such time at least {in_words(LEAST)} after the turn began counts."
        )

    def days_in_words(self) -> str:
        """Return "every day", or "every Monday and Thursday"."""
        if self.days == _EVERY_DAY:
            return "every day"
        return f"every {listed(_DAY_NAMES[day].capitalize() for day in self.days)}"

    @property
    def usual(self) -> timedelta:
        """The average time from one moment to the next."""
        return 7 * DAY / len(self.days)

    def due(self, time: SeatTime) -> datetime:
        """Return the first fixed moment that counts for the seat, plus any downtime of the server.

        A moment in a vacation does not count, nor one before which vacation took more than half of the time.
        All other pauses shift the moment by their length: a minute without email must not cost a week.
        """
        away = halts(pause for pause in time.pauses if pause.why is Why.VACATION)
        others = halts(pause for pause in time.pauses if pause.why is not Why.VACATION)
        first = next(self._moments(time))
        enough = running(time.began, first, time.weekends()) / 2
        moment = next(
            moment
            for moment in self._moments(time)
            if not halted(moment, away)
            and running(time.began, moment, heapq.merge(away, time.weekends())) >= enough
        )
        lost = (moment - time.began) - running(time.began, moment, others)
        return walk(moment, lost, time.halts())

    def check(self, *, simultaneous: bool, weekends: bool) -> None:
        """Raise BadTime for a game without simultaneous orders, or if weekends off exclude all moments."""
        if not simultaneous:
            raise BadTime(
                lambda where: (
                    "A fixed time is for games with simultaneous orders; write "
                    f"{where.option('time', '3d', '7d+1d/14d')}."
                )
            )
        if not weekends and min(self.days) >= _SATURDAY:
            raise BadTime(
                lambda where: (
                    f"“{self.write()}” is always on a weekend; name another day, or let time run at "
                    f"weekends{where.typed(': weekends=on')}."
                )
            )

    def weekend_zone(self, zone: ZoneInfo) -> ZoneInfo:
        """Return the zone of the moments, as all orders are due together."""
        return self.zone

    def oddities(self, now: datetime) -> list[str]:
        """Return a sentence about moments that clocks do not show, or show twice."""
        if self.always_exists(now):
            return []
        return [
            f"When the clocks change, {self.clock:%H:%M} may not exist, and is then later by the time skipped, "
            "or may come twice, and then the second counts."
        ]

    def weekends_in_words(self, zone: str) -> str:
        """Return the sentence that nothing is due on weekends, in the zone of the moments."""
        return f"Nothing is due on Saturdays and Sundays in {zone_name(self.zone)}."

    def vacation_in_words(self, granted: str) -> str:
        """Return a sentence on vacation, with the moments that it removes."""
        return (
            f"{granted}. A deadline during it does not count, nor one before which it took up more than half "
            "of the time."
        )

    def after(self, moment: datetime) -> Iterator[datetime]:
        """Yield all moments of this control later than `moment`, ascending, in UTC, without end."""
        day = moment.astimezone(self.zone).date() - DAY
        while True:
            if day.weekday() in self.days:
                found = at(day, self.clock, self.zone)
                if found > moment:
                    yield found
                    moment = found
            day += DAY

    def always_exists(self, now: datetime) -> bool:
        """Return True if every moment of the year after `now` exists exactly once, when clocks change, too."""
        today = now.astimezone(self.zone).date()
        days = (today + DAY * ahead for ahead in range(366))
        return all(exists_once(day, self.clock, self.zone) for day in days if day.weekday() in self.days)

    def _moments(self, time: SeatTime) -> Iterator[datetime]:
        """Yield the moments that are far enough from the start of the turn and not at a weekend that is off."""
        for moment in self.after(time.began + LEAST - timedelta(microseconds=1)):
            if not halted(moment, time.weekends()):
                yield moment


def _read_days(words: list[str]) -> tuple[int, ...]:
    if words == [_DAILY]:
        return _EVERY_DAY
    for word in words:
        if word not in _NAMED:
            raise BadTime(
                f"{quoted(word)} is not a day of the week; write mon, tue, wed, thu, fri, sat or sun."
            )
    return tuple(sorted({_NAMED[word] for word in words}))

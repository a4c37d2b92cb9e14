"""Times at which clocks are paused, and the arithmetic around them.

A halt is a pair of moments (from, until), the second not part of it. Halts come ascending by their start, may
overlap and need not end.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from server.clock.moments import day_start
from server.clock.spans import DAY, ZERO

Halt = tuple[datetime, datetime]

_SATURDAY = 5


class Why(StrEnum):
    """The reason of a pause."""

    VACATION = "vacation"
    """The player announced a vacation."""
    AUTOMATIC = "automatic"
    """Vacation that the server spent for the player when their time was up."""
    OUTAGE = "outage"
    """The server was down, or could not accept mail."""
    MAINTENANCE = "maintenance"
    """The administrators announced downtime."""
    MAIL = "mail"
    """The email with a turn bounced, or stayed in the outbox."""

    @property
    def is_downtime(self) -> bool:
        """True if the server was not available."""
        return self in (Why.OUTAGE, Why.MAINTENANCE)


@dataclass(frozen=True)
class PausedTime:
    """A pause from `start` until `end`; `said_at` is when the server learned of it."""

    start: datetime
    end: datetime
    said_at: datetime
    why: Why

    def __post_init__(self) -> None:
        if self.end < self.start:
            raise ValueError(f"a pause that ends before it starts: {self}")


@dataclass(frozen=True)
class GivenTime:
    """Time that an opponent gave for the current move; `number` orders gifts of one moment."""

    amount: timedelta
    said_at: datetime
    number: int = 0


def halts(pauses: Iterable[PausedTime]) -> list[Halt]:
    """Return pauses as pairs of start and end, ordered by their start."""
    return sorted((pause.start, pause.end) for pause in pauses)


def weekends(moment: datetime, zone: ZoneInfo) -> Iterator[Halt]:
    """Yield Saturdays and Sundays in the zone, endlessly, from the last one before or at `moment`."""
    day = moment.astimezone(zone).date()
    day -= DAY * ((day.weekday() - _SATURDAY) % 7)
    while True:
        yield day_start(day, zone), day_start(day + 2 * DAY, zone)
        day += 7 * DAY


def walk(start: datetime, amount: timedelta, stops: Iterable[Halt]) -> datetime:
    """Return the last moment at which no more than `amount` has run since `start`.

    So time that is up just when a halt begins is up only when the halt ends.
    """
    now, left = start, amount
    for begin, end in stops:
        if begin > now + left:
            break
        if end <= now:
            continue
        left -= max(begin - now, ZERO)
        now = end
    return now + left


def running(start: datetime, end: datetime, stops: Iterable[Halt]) -> timedelta:
    """Return the time that ran from `start` to `end`; zero if `end` is earlier, as after a clock change."""
    now, total = start, ZERO
    for begin, until in stops:
        if begin >= end:
            break
        if until <= now:
            continue
        total += max(begin - now, ZERO)
        now = until
    return total + max(end - now, ZERO)


def halted(moment: datetime, stops: Iterable[Halt]) -> bool:
    for begin, end in stops:
        if begin > moment:
            return False
        if end > moment:
            return True
    return False

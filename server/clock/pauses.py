"""Times at which clocks are paused, such as vacations and outages, and the arithmetic around them.

To notice outages, the worker writes the time once a minute: its heartbeat. If heartbeats are missing, the
server was down, or the wall clock was put forward; neither costs the players any time. A wall clock that is put
back gives them time. So no jump of the clock makes a player lose.

A halt is a pair of moments (from, until), the second not part of it. Halts come ascending by their start, may
overlap and need not end.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from server.clock.moments import day_start
from server.clock.spans import DAY, ZERO

Halt = tuple[datetime, datetime]

_SATURDAY = 5
BEAT = timedelta(minutes=1)
"""The interval at which the worker writes the time."""
SILENCE = timedelta(minutes=5)
"""The longest time between two heartbeats that is not an outage."""
MOST_FOR_MAIL = 7 * DAY
"""The longest pause for failing email to a player."""
MONTH = 30 * DAY
"""The period in which all pauses for failing email together last at most `MOST_FOR_MAIL`: players can make
their email bounce at will.
"""


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
    """Return whether the clock is paused at this moment."""
    for begin, end in stops:
        if begin > moment:
            return False
        if end > moment:
            return True
    return False


def outage(last_beat: datetime | None, now: datetime) -> PausedTime | None:
    """Return the outage that ends now, by the last heartbeat; None if there was none.

    Call this before acting on deadlines that have passed.
    """
    if last_beat is None or now - last_beat <= SILENCE:
        return None
    return PausedTime(last_beat, now, now, Why.OUTAGE)


def was_far_ahead(last_beat: datetime | None, now: datetime) -> bool:
    """Return whether the clock was put back by more than a day since the last heartbeat.

    Then no outage may begin or end later than now, nor a turn begin later: otherwise a clock that was years
    ahead for a minute would stop all games for years. A smaller step back gives all players that much time, and
    the announced deadlines stay valid.
    """
    return last_beat is not None and last_beat - now > DAY


def failed_mail(queued: datetime, delivered: datetime | None) -> PausedTime:
    """Return the time for which a turn email to a player was not delivered, from its entry into the outbox.

    While it still fails, `delivered` is None, and the time is the most that can be credited: a player cannot
    stop the clock by refusing email.
    """
    latest = queued + MOST_FOR_MAIL
    end = latest if delivered is None else max(queued, min(delivered, latest))
    return PausedTime(queued, end, queued, Why.MAIL)


def credited(lost: PausedTime, earlier: Iterable[PausedTime]) -> PausedTime | None:
    """Return the time to credit for undelivered email, beyond the time credited `earlier`; None for nothing."""
    spent = sum((pause.end - pause.start for pause in earlier if lost.start - pause.end < MONTH), ZERO)
    end = min(lost.end, lost.start + MOST_FOR_MAIL - spent)
    return replace(lost, end=end) if end > lost.start else None

"""Time that the server took from its players, and gives back.

The worker writes the time once a minute: its heartbeat. Where heartbeats are missing the server was down, or
the wall clock was put forward; either costs the players nothing. A wall clock that is put back gives them time.
So no jump of the clock makes a player lose.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from server.clock.pauses import PausedTime, Why
from server.clock.spans import DAY, ZERO

BEAT = timedelta(minutes=1)
"""The interval at which the worker writes the time."""
SILENCE = timedelta(minutes=5)
"""The longest time between two heartbeats that is not an outage."""
MOST_FOR_MAIL = 7 * DAY
"""The longest that time stands still because mail to a player fails."""
MONTH = 30 * DAY
"""The span within which it stands still no longer than that: players can make their mail bounce at will."""


def outage(last_beat: datetime | None, now: datetime) -> PausedTime | None:
    """The outage that ends now, by the last heartbeat; None if there was none.

    Call this before anything is done about deadlines that have passed.
    """
    if last_beat is None or now - last_beat <= SILENCE:
        return None
    return PausedTime(last_beat, now, now, Why.OUTAGE)


def was_far_ahead(last_beat: datetime | None, now: datetime) -> bool:
    """Return True if the clock was put back by more than a day since the last heartbeat.

    Then no outage is to begin or end later than now, nor a turn to begin later: otherwise a clock that was
    years ahead for a minute would stop all games for years. A smaller step back gives everybody that much
    time, and the deadlines that players were told stand.
    """
    return last_beat is not None and last_beat - now > DAY


def failed_mail(queued: datetime, delivered: datetime | None) -> PausedTime:
    """The time that a turn mail to a player was not delivered, from when it was put into the outbox.

    While it still fails, `delivered` is None, and it counts as failing for as long as is credited at all:
    nobody can stop the clock by refusing mail.
    """
    latest = queued + MOST_FOR_MAIL
    end = latest if delivered is None else max(queued, min(delivered, latest))
    return PausedTime(queued, end, queued, Why.MAIL)


def credited(lost: PausedTime, earlier: Iterable[PausedTime]) -> PausedTime | None:
    """Return the time to give back for failed email, beyond what was given `earlier`; None for nothing."""
    spent = sum((pause.end - pause.start for pause in earlier if lost.start - pause.end < MONTH), ZERO)
    end = min(lost.end, lost.start + MOST_FOR_MAIL - spent)
    return replace(lost, end=end) if end > lost.start else None

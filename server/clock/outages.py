"""Outages of the server: how they are detected, and how much time players get back for them.

The worker writes the time once a minute: its heartbeat. If heartbeats are missing, the server was down, or the
wall clock was put forward; neither costs the players any time. A wall clock that is put back gives them time.
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
"""The longest pause for failing email to a player."""
MONTH = 30 * DAY
"""The period in which such pauses together last at most that long: players can make their email bounce
at will.
"""


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

"""Corrections of stored times after the server's clock was set back, so that nothing waits for the old time."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, select

from server.clock.pauses import Why
from server.clock.spans import DAY
from server.game.lobby import computer_joiners
from server.game.terms.terms import STALE
from server.store.deferral import LONGEST_MUTE
from server.store.models import (
    Failure,
    Game,
    GameMessage,
    Gift,
    Inbox,
    Inquiry,
    Notice,
    Outbox,
    Pause,
    Player,
    Seat,
    Tournament,
)

_SENDING = timedelta(minutes=10)
"""How long an email that a worker may be sending is not tried by another."""
_PAST = (
    Outbox.created_at,
    Outbox.sent_at,
    Outbox.failing_since,
    Inbox.received_at,
    Inbox.handled_at,
    Player.bounced_at,
    Player.suspended_at,
    Player.complained_at,
    Player.reminded_at,
    Seat.reminded_at,
    Seat.deferred_since,
    Seat.page_at,
    GameMessage.said_at,
    Inquiry.asked_at,
)
"""Times at which something happened."""
_DUE = (
    Failure.due_at,
    Game.count_due_at,
    Game.news_at,
    Game.next_due_at,
    Game.offer_due_at,
    Game.tournament_due_at,
    Inquiry.due_at,
    Notice.due_at,
    Seat.deferred_until,
    Seat.thinking_until,
    Tournament.due_at,
)
"""Times at which something is due that may also happen earlier."""


def make_everything_due(session: Session, now: datetime) -> None:
    """Make everything due now that is due in the future, because the real distance is unknown.

    An email that a worker may be sending waits until its lease has certainly ended. Past events with a time in
    the future are moved to now, too; otherwise they would count as recent in all limits per minute and day.
    """
    session.execute(update(Inbox).where(col(Inbox.state) == "new", col(Inbox.due_at) > now).values(due_at=now))
    _clip(session, Game.computers_join_at, now + computer_joiners.AFTER)
    sending = now + _SENDING
    queued = col(Outbox.state) == "queued"
    session.execute(update(Outbox).where(queued, col(Outbox.due_at) > sending).values(due_at=sending))
    for moment in (*_DUE, *_PAST):
        _clip(session, moment, now)


def correct_future_times(session: Session, now: datetime) -> None:
    """Correct times that were stored while the clock was far ahead: no outage or turn began after now.

    A vacation that started immediately starts now; one with dates stays. A digest due in several days is sent
    now, which schedules the next one.
    """
    outage = col(Pause.why) == Why.OUTAGE
    session.execute(update(Pause).where(outage, col(Pause.end_at) > now).values(end_at=now))
    lost = col(Pause.why).in_((Why.OUTAGE, Why.MAIL))
    session.execute(update(Pause).where(lost, col(Pause.start_at) > now).values(start_at=now, end_at=now))
    begun = select(Pause).where(Pause.start_at == Pause.said_at, Pause.start_at > now)
    for pause in session.exec(begun):
        pause.start_at, pause.end_at = now, now + (pause.end_at - pause.start_at)
    session.flush()
    for moment in (Pause.said_at, Gift.said_at):
        _clip(session, moment, now)
    _clip(session, Seat.muted_until, now + LONGEST_MUTE)
    _clip(session, Game.stale_at, now + STALE)
    _clip(session, Game.turn_began_at, now)
    session.execute(update(Player).where(col(Player.digest_at) > now + DAY).values(digest_at=now))


def _clip(session: Session, moment: Any, latest: datetime) -> None:
    """Limit all times in a column to `latest`."""
    session.execute(update(moment.class_).where(moment > latest).values({moment.key: latest}))

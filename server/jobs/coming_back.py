"""What is done when the wall clock is put back, so that nothing waits until it is as late again."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, select

from server.clock.pauses import Why
from server.clock.spans import DAY
from server.game.terms import STALE
from server.store.deferral import LONGEST_MUTE
from server.store.models import Failure, Game, Gift, Inbox, Inquiry, Outbox, Pause, Player, Press, Seat

_SENDING = timedelta(minutes=10)
"""How long nobody tries to send a mail that may be being sent."""
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
    Seat.untold_at,
    Seat.page_at,
    Press.said_at,
    Inquiry.asked_at,
)
"""When something happened."""


def try_at_once(session: Session, now: datetime) -> None:
    """Try now whatever was to be tried later: nobody can tell any more how much later.

    A mail that someone may be sending waits until they have certainly lost it. What was sent at a time that is
    yet to come would count as just sent until then, in all limits per minute and day.
    """
    session.execute(update(Inbox).where(col(Inbox.state) == "new", col(Inbox.due_at) > now).values(due_at=now))
    _clip(session, Failure.due_at, now)
    _clip(session, Seat.held_until, now)
    _clip(session, Inquiry.due_at, now)
    sending = now + _SENDING
    queued = col(Outbox.state) == "queued"
    session.execute(update(Outbox).where(queued, col(Outbox.due_at) > sending).values(due_at=sending))
    for moment in _PAST:
        _clip(session, moment, now)


def come_back_to(session: Session, now: datetime) -> None:
    """Undo what a clock that was far ahead did: no outage ends later than now, no turn began later.

    A vacation that was to begin at once begins now; one with dates stays. A digest that would come in days
    comes now, which schedules the next one.
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
    muted = now + LONGEST_MUTE
    session.execute(update(Seat).where(col(Seat.muted_until) > muted).values(muted_until=muted))
    _clip(session, Game.turn_began_at, now)
    session.execute(update(Player).where(col(Player.digest_at) > now + DAY).values(digest_at=now))
    session.execute(update(Game).where(col(Game.stale_at) > now + STALE).values(stale_at=now + STALE))


def _clip(session: Session, moment: Any, now: datetime) -> None:
    """Let no moment in a column be later than now."""
    session.execute(update(moment.class_).where(moment > now).values({moment.key: now}))

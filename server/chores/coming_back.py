"""What follows the wall clock when it is put back: nothing waits until it is as late once more."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col

from server.clock.pauses import Why
from server.clock.spans import DAY
from server.house import STALE
from server.models import Game, Inbox, Outbox, Pause, Player, Seat, Trouble

_SENDING = timedelta(minutes=10)
"""For so long nobody tries to send a mail that may be being sent."""


def try_at_once(session: Session, now: datetime) -> None:
    """Try now whatever was to be tried later: how much later, nobody can tell any more.

    A mail that somebody may be sending waits until he has certainly lost it. What was sent in a time that is
    still to come would count as sent just now until then, for all limits by minute and day.
    """
    session.execute(update(Inbox).where(col(Inbox.state) == "new", col(Inbox.due_at) > now).values(due_at=now))
    _clip(session, Trouble.due_at, now)
    sending = now + _SENDING
    queued = col(Outbox.state) == "queued"
    session.execute(update(Outbox).where(queued, col(Outbox.due_at) > sending).values(due_at=sending))
    for moment in (Outbox.created_at, Outbox.sent_at, Inbox.received_at, Inbox.handled_at, Player.bounced_at):
        _clip(session, moment, now)
    for moment in (Player.reminded_at, Seat.reminded_at):
        _clip(session, moment, now)


def come_back_to(session: Session, now: datetime) -> None:
    """Undo what a clock did that was far ahead: no outage ends later than now, no turn began later.

    A digest that would come in days comes now, and so plans the next one anew.
    """
    outage = col(Pause.why) == Why.OUTAGE
    session.execute(update(Pause).where(outage, col(Pause.end_at) > now).values(end_at=now))
    session.execute(update(Pause).where(outage, col(Pause.start_at) > now).values(start_at=now))
    _clip(session, Game.turn_began_at, now)
    session.execute(update(Player).where(col(Player.digest_at) > now + DAY).values(digest_at=now))
    session.execute(update(Game).where(col(Game.stale_at) > now + STALE).values(stale_at=now + STALE))


def _clip(session: Session, moment: Any, now: datetime) -> None:
    """Let no moment in a column be later than now."""
    session.execute(update(moment.class_).where(moment > now).values({moment.key: now}))

"""Whose fault it is that a mail is not taken, and what is told of a relay that takes none.

A refusal says something about a mailbox only if the relay takes other mail, and does not say the same to many.
Otherwise nothing is given up and nobody's mail is stopped, and the administrator is told: by the log, by
`nabu admin troubles`, and by a mail, which may have to wait itself. Players are told on the web.
"""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, update
from sqlmodel import Session, and_, col, func, or_, select

from server.store.models import Failure, Outbox

logger = logging.getLogger(__name__)

MAIL_OUT = "mail out"
"""The name of the failure that concerns the relay, and no game or player."""
MANY = 3
"""How many recipients, or domains, refused alike show a bad relay: that many do not go away together."""
_FEW = 4
"""For each that it refuses alike, a sound relay takes more than this many."""
_WINDOW = timedelta(hours=2)
"""For how long it counts beside what waits that a mail was taken, given up or returned.

It is longer than what makes a refusal stand."""
_LATE = timedelta(minutes=15)
"""After this long players are told that mail goes out late."""
_TRIED_AGAIN = timedelta(minutes=5)


def takes_others(session: Session, mail: Outbox) -> bool:
    """Whether the relay has taken mail to someone else since it began to refuse this one."""
    if mail.failing_since is None:
        return False
    query = select(Outbox.id).where(_taken_since(mail.failing_since), Outbox.recipient != mail.recipient)
    return session.exec(query.limit(1)).first() is not None


def refused_alike(session: Session, now: datetime, refusal: str) -> int:
    """How many recipients are refused in these words by a relay that takes hardly anything else; 0 for a few.

    They are of many domains, or of any where it takes nothing at all.
    """
    if not refusal:
        return 0
    ended = col(Outbox.state).in_(("failed", "returned")), col(Outbox.due_at) > now - _WINDOW
    domains, recipients = session.exec(
        select(func.count(func.distinct(Outbox.domain)), func.count(func.distinct(Outbox.recipient))).where(
            Outbox.refusal == refusal, or_(Outbox.state == "queued", and_(*ended))
        )
    ).one()
    if recipients < MANY:
        return 0
    query = select(func.count(func.distinct(Outbox.recipient))).where(_taken_since(now - _WINDOW))
    taken = session.exec(query).one()
    few = taken <= _FEW * recipients if domains >= MANY else taken == 0
    return recipients if few else 0


def note_alike(session: Session, now: datetime, refusals: Collection[str]) -> bool:
    """Note if one of these refusals affects many; returns whether one does."""
    for refusal in sorted(refusals):
        if recipients := refused_alike(session, now, refusal):
            note_trouble(session, now, f"{recipients} recipients were refused in the same way: {refusal}")
            return True
    return False


def note_trouble(session: Session, now: datetime, what: str) -> None:
    """Note that nothing can be handed to the relay, and log it if that is new."""
    known = failure(session)
    if known is None:
        known = Failure(job=MAIL_OUT, what=what, since=now, due_at=now)
        logger.error(
            "mail is not going out: %s; none is given up because of it, and nobody's mail is stopped", what
        )
    known.attempts += 1
    known.what, known.due_at = what[:500], now + _TRIED_AGAIN
    session.add(known)


def note_taken(session: Session, now: datetime, lease: timedelta) -> None:
    """Note that the relay takes mail again: everything that waits is due now.

    If many that it refused alike are waiting, they are tried before the failure counts as over, and not too
    often. What is due within a `lease` may be under way just now.
    """
    known = failure(session)
    if known is None:
        return
    waits = col(Outbox.state) == "queued", col(Outbox.failing_since).is_not(None)
    many = func.count(func.distinct(Outbox.recipient)) >= MANY
    groups = session.exec(select(Outbox.refusal).where(*waits).group_by(Outbox.refusal).having(many)).all()
    if any(refused_alike(session, now, refusal) for refusal in groups):
        if now < known.due_at:
            return
        known.due_at = now + _TRIED_AGAIN
    else:
        session.execute(delete(Failure).where(col(Failure.job) == MAIL_OUT))
        logger.warning("mail is going out again")
    session.execute(update(Outbox).where(*waits, col(Outbox.due_at) > now + lease).values(due_at=now))


def failure(session: Session) -> Failure | None:
    """What is wrong with the relay, if something is."""
    return session.exec(select(Failure).where(Failure.job == MAIL_OUT).limit(1)).first()


def is_late(session: Session, now: datetime) -> bool:
    """Whether mail goes out so late that players should know."""
    known = failure(session)
    return known is not None and now - known.since >= _LATE


def waiting(session: Session) -> int:
    """How many mails were tried and wait for the relay to take them."""
    query = select(func.count()).where(Outbox.state == "queued", col(Outbox.failing_since).is_not(None))
    return session.exec(query).one()


def _taken_since(moment: datetime) -> ColumnElement[bool]:
    """A condition: the relay has taken the mail since then."""
    # Its lease ends after it is sent: so the index of what is due finds it.
    return and_(
        col(Outbox.state) == "sent",
        col(Outbox.due_at) > moment,
        col(Outbox.sent_at) > moment,
        col(Outbox.attempts) > 0,
    )

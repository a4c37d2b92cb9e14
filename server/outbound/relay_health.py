"""The state of the relay: whether it, or only a mailbox, is the cause of a refusal.

A refusal is about a mailbox only if the relay accepts other emails and does not refuse many for the same
reason. Otherwise all emails stay queued and no player's email is stopped. The administrator is notified in the
log, by `nabu admin troubles` and by email, which may be delayed itself. Players see a notice on the web pages.
"""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, update
from sqlmodel import Session, and_, col, func, or_, select

from server.store.models import Failure, Outbox
from server.store.statements.planned_session import RowStatement

logger = logging.getLogger(__name__)

MAIL_OUT = "mail out"
"""The job name of a failure of the relay."""
MANY = 3
"""The number of recipients or domains with the same refusal that indicates a bad relay."""
_FEW = 4
"""A working relay accepts more than this number of recipients for each one that it refuses."""
_WINDOW = timedelta(hours=2)
"""The age up to which accepted, failed and returned emails count.

It is longer than the time after which a refusal is final."""
_LATE = timedelta(minutes=15)
"""The time after which web pages show that emails are late."""
_TRIED_AGAIN = timedelta(minutes=5)
_FAILURE: RowStatement[Failure] = RowStatement(select(Failure).where(Failure.job == MAIL_OUT).limit(1))
"""The row that exists while the relay fails; built once, because each list of games and each batch uses it."""


def takes_others(session: Session, mail: Outbox) -> bool:
    """Return whether the relay has accepted an email to another recipient since it first refused this one."""
    if mail.failing_since is None:
        return False
    query = select(Outbox.id).where(_taken_since(mail.failing_since), Outbox.recipient != mail.recipient)
    return session.exec(query.limit(1)).first() is not None


def refused_alike(session: Session, now: datetime, refusal: str) -> int:
    """Return how many recipients were refused with the text `refusal`; 0 if the relay does not seem the cause.

    It does if it refuses many domains and accepts few emails, or if it accepts none at all.
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
    """Record a problem of the relay if one of these refusals affects many emails; return whether one does."""
    for refusal in sorted(refusals):
        if recipients := refused_alike(session, now, refusal):
            note_trouble(session, now, f"{recipients} recipients were refused for the same reason: {refusal}")
            return True
    return False


def note_trouble(session: Session, now: datetime, what: str) -> None:
    """Record that the relay does not accept email, and log it the first time."""
    known = failure(session)
    if known is None:
        known = Failure(job=MAIL_OUT, what=what, since=now, due_at=now)
        logger.error("relay refuses mail: %s (all emails stay queued)", what)
    known.attempts += 1
    known.what, known.due_at = what[:500], now + _TRIED_AGAIN
    session.add(known)


def note_taken(session: Session, now: datetime, lease: timedelta) -> None:
    """Record that the relay accepts email again: all waiting emails are due now.

    While many emails with the same refusal wait, the failure remains and they are retried every few minutes.
    Emails due within a `lease` may be being sent right now, so they keep their due time.
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
        logger.warning("relay accepts mail again")
    session.execute(update(Outbox).where(*waits, col(Outbox.due_at) > now + lease).values(due_at=now))


def failure(session: Session) -> Failure | None:
    """Return the present problem of the relay; None if there is none."""
    return next((row for (row,) in _FAILURE(session, {})), None)


def is_late(session: Session, now: datetime) -> bool:
    """Return whether emails are so late that the web pages show it."""
    known = failure(session)
    return known is not None and now - known.since >= _LATE


def waiting(session: Session) -> int:
    """Return the number of emails that were refused and wait for a retry."""
    query = select(func.count()).where(Outbox.state == "queued", col(Outbox.failing_since).is_not(None))
    return session.exec(query).one()


def _taken_since(moment: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for emails that the relay has accepted since a moment."""
    # The lease of an email ends after it is sent, so the index on due_at finds it.
    return and_(
        col(Outbox.state) == "sent",
        col(Outbox.due_at) > moment,
        col(Outbox.sent_at) > moment,
        col(Outbox.attempts) > 0,
    )

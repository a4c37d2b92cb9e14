"""Delete old data: emails, sessions and others that were handled or sent days ago."""

from datetime import datetime, timedelta

from sqlalchemy import delete, update
from sqlmodel import Session, col

from server.accounts import account_changes
from server.accounts.login import sessions
from server.game.computer import inquiries
from server.jobs.job import Work
from server.store import seen_signatures
from server.store.db import writing
from server.store.inbox import QUESTION_STANDS
from server.store.models import ApiAnswer, Failure, Inbox, Inquiry, Intake, Outbox, Ticket
from server.store.outbox import ActionContext

REMEMBERED = timedelta(days=365)
"""How long Nabu recognises a second copy of an email."""

ANSWERS_STAND = timedelta(days=1)
"""How long an API client that repeats a request gets the first answer again."""

GONE_BY_ITSELF = timedelta(days=14)
"""How long a failure that is no longer tried is kept; jobs wait at most a week for mail."""


def delete_old_data(work: Work) -> None:
    """Delete old data, and cancel account changes that were not confirmed in time. Runs once an hour."""
    with writing(work.engine) as session:
        throw_away(session, work.now(), timedelta(days=work.settings.keep_mail_days))
    with writing(work.engine) as session:
        account_changes.keep(ActionContext(session, work.sealer, work.now()))


def throw_away(session: Session, now: datetime, keep: timedelta) -> None:
    """Delete emails that were handled, quarantined, sent or given up longer ago than `keep`.

    The fingerprint of a handled email is kept longer, so that a late copy is not handled again.
    """
    old = now - keep
    unanswered = col(Inbox.handled_at) < now - QUESTION_STANDS
    session.execute(
        update(Inbox)
        .where(col(Inbox.state) == "asked", unanswered)
        .values(state="refused", why="the sender has not confirmed it")
    )
    acted_upon = col(Inbox.state).in_(("done", "refused"))
    session.execute(
        update(Inbox)
        .where(acted_upon, col(Inbox.handled_at) < old, col(Inbox.sealed).is_not(None))
        .values(sealed=None, mail_from="", recipient="", peer="", queue="")
    )
    session.execute(delete(Inbox).where(acted_upon, col(Inbox.handled_at) < now - REMEMBERED))
    session.execute(delete(Inbox).where(col(Inbox.state) == "quarantined", col(Inbox.handled_at) < old))
    session.execute(
        delete(Outbox).where(col(Outbox.state).in_(("sent", "unwanted")), col(Outbox.sent_at) < old)
    )
    session.execute(
        delete(Outbox).where(col(Outbox.state).in_(("failed", "returned", "dropped")), col(Outbox.due_at) < old)
    )
    sessions.forget(session, now)
    session.execute(delete(Inquiry).where(col(Inquiry.asked_at) < now - inquiries.KEPT))
    session.execute(delete(Ticket).where(col(Ticket.since) < now - seen_signatures.REMEMBERED))
    session.execute(delete(Intake).where(col(Intake.day) < now.date().toordinal()))
    session.execute(delete(ApiAnswer).where(col(ApiAnswer.at) < now - ANSWERS_STAND))
    session.execute(delete(Failure).where(col(Failure.due_at) < now - GONE_BY_ITSELF))

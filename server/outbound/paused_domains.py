"""Emails to domains that an administrator has paused: they wait, without retries or bounces.

They have their own state, so queries for due, late or refused emails do not find them.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, update
from sqlmodel import Session, col, func, select

from server.store.models import Outbox
from server.store.outbox import queue_again
from server.store.statements import prepared_statements

PAUSED = "paused"
_SENDING = timedelta(minutes=10)
"""The maximum lease of an email that is being sent."""


def keep_back(session: Session, mails: Sequence[Outbox]) -> list[Outbox]:
    """Pause those emails that go to paused domains, and return the others."""
    # The lock makes the release of a domain wait for this, so it finds all paused emails.
    domains = sorted({mail.domain for mail in mails})
    paused = {domain for (domain,) in prepared_statements.PAUSED_DOMAINS(session, domains=domains)}
    for mail in mails:
        if mail.domain in paused:
            mail.state = PAUSED
    return [mail for mail in mails if mail.domain not in paused]


def pause_all(session: Session, domain: str) -> None:
    """Pause the queued emails to a domain. One being sent is paused when due again after a failure."""
    waits = col(Outbox.domain) == domain, col(Outbox.state) == "queued"
    session.connection().execute(update(Outbox).where(*waits).values(state=PAUSED))


def release_paused(session: Session, domain: str, now: datetime) -> int:
    """Queue all paused emails to a domain again, and return their number.

    An email that a sender may be sending right now keeps its due time, the end of that lease.
    """
    count = count_paused(session, domain)
    in_hand = col(Outbox.due_at) > now, col(Outbox.due_at) <= now + _SENDING
    session.connection().execute(update(Outbox).where(*_paused(domain), *in_hand).values(state="queued"))
    queue_again(session, now, *_paused(domain))
    return count


def count_paused(session: Session, domain: str = "") -> int:
    """Return the number of paused emails, to one domain or in total."""
    return session.exec(select(func.count()).select_from(Outbox).where(*_paused(domain))).one()


def _paused(domain: str) -> list[ColumnElement[bool]]:
    of_domain = [col(Outbox.domain) == domain] if domain else []
    return [col(Outbox.state) == PAUSED, *of_domain]

"""Emails to domains that an administrator has paused: they wait, and nothing counts against them meanwhile.

They have a state of their own, so that nobody who looks for what is due, late or refused comes across them.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, update
from sqlmodel import Session, col, func, select

from server.store.models import Outbox, PausedDomain
from server.store.outbox import queue_again

PAUSED = "paused"
_SENDING = timedelta(minutes=10)
"""For how long at most nobody else takes a mail that somebody sends."""


def keep_back(session: Session, mails: Sequence[Outbox]) -> list[Outbox]:
    """Pause the mails to paused domains; return the others."""
    query = select(PausedDomain.domain).where(col(PausedDomain.domain).in_({mail.domain for mail in mails}))
    # Locked: whoever releases a domain waits for this, and finds all that was paused.
    paused = set(session.exec(query.with_for_update(read=True)))
    for mail in mails:
        if mail.domain in paused:
            mail.state = PAUSED
    return [mail for mail in mails if mail.domain not in paused]


def pause_all(session: Session, domain: str) -> None:
    """Pause what waits for a domain. What is being sent is paused if it is not taken, once it is due again."""
    waits = col(Outbox.domain) == domain, col(Outbox.state) == "queued"
    session.connection().execute(update(Outbox).where(*waits).values(state=PAUSED))


def let_go(session: Session, domain: str, now: datetime) -> int:
    """Send everything that was paused for a domain, as far as it is still true; return how many mails.

    One that may be being sent right now waits until whoever does so has certainly lost it.
    """
    count = count_paused(session, domain)
    in_hand = col(Outbox.due_at) > now, col(Outbox.due_at) <= now + _SENDING
    session.connection().execute(update(Outbox).where(*_paused(domain), *in_hand).values(state="queued"))
    queue_again(session, now, *_paused(domain))
    return count


def count_paused(session: Session, domain: str = "") -> int:
    """Return how many mails are paused, for a domain or in all."""
    return session.exec(select(func.count()).select_from(Outbox).where(*_paused(domain))).one()


def _paused(domain: str) -> list[ColumnElement[bool]]:
    of_domain = [col(Outbox.domain) == domain] if domain else []
    return [col(Outbox.state) == PAUSED, *of_domain]

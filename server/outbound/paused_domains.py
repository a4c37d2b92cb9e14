"""Mails to domains that an operator holds: they wait, and nothing counts against them meanwhile.

They have a state of their own, so that nobody who looks for what is due, late or refused comes across them.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, update
from sqlmodel import Session, col, func, select

from server.store.models import Outbox, PausedDomain
from server.store.outbox import queue_again

HELD = "held"
_SENDING = timedelta(minutes=10)
"""For how long at most nobody else takes a mail that somebody sends."""


def keep_back(session: Session, mails: Sequence[Outbox]) -> list[Outbox]:
    """Hold those of the mails whose domains are held; the others."""
    query = select(PausedDomain.domain).where(col(PausedDomain.domain).in_({mail.domain for mail in mails}))
    # Locked: whoever releases a domain waits for this, and finds all that was held.
    held = set(session.exec(query.with_for_update(read=True)))
    for mail in mails:
        if mail.domain in held:
            mail.state = HELD
    return [mail for mail in mails if mail.domain not in held]


def hold_all(session: Session, domain: str) -> None:
    """Hold what waits for a domain. What is being sent is held if it is not taken, once it is due again."""
    waits = col(Outbox.domain) == domain, col(Outbox.state) == "queued"
    session.connection().execute(update(Outbox).where(*waits).values(state=HELD))


def let_go(session: Session, domain: str, now: datetime) -> int:
    """Have everything sent that was held for a domain, as far as it is still true; how many mails.

    One that may be being sent right now waits until whoever does so has certainly lost it.
    """
    count = held(session, domain)
    in_hand = col(Outbox.due_at) > now, col(Outbox.due_at) <= now + _SENDING
    session.connection().execute(update(Outbox).where(*_held(domain), *in_hand).values(state="queued"))
    queue_again(session, now, *_held(domain))
    return count


def held(session: Session, domain: str = "") -> int:
    """How many mails are held, for a domain or in all."""
    return session.exec(select(func.count()).select_from(Outbox).where(*_held(domain))).one()


def _held(domain: str) -> list[ColumnElement[bool]]:
    of_domain = [col(Outbox.domain) == domain] if domain else []
    return [col(Outbox.state) == HELD, *of_domain]

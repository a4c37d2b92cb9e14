"""The mails that came in and are not done with: where from and how they stand, but nothing of what they say."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from server.errors import BadRequest
from server.operating.shown import in_a_line, untagged
from server.store.models import Inbox

_WAITING = ("new", "asked", "held")
_SEALED_KILOBYTE = 4000 // 3
"""Bytes that a thousand take once they are sealed."""


@dataclass(frozen=True)
class IncomingView:
    """A mail that came in; `sender` is whom its envelope names, `state` as in `models.Inbox`."""

    number: int
    state: str
    why: str
    received_at: datetime
    source: str
    sender: str
    recipient: str
    """Without what signs it."""
    game: int | None
    kilobytes: int
    """About how large it is, rounded up; 0 once it has been thrown away."""
    attempts: int
    put_off: int
    due_at: datetime


def listed(
    session: Session, limit: int, *, address: str = "", domain: str = ""
) -> tuple[Sequence[IncomingView], int]:
    """The mails that are not done with, from whomever or there, the oldest first; how many more there are."""
    sender = func.lower(Inbox.mail_from)
    which: list[ColumnElement[bool]] = [col(Inbox.state).in_(_WAITING)]
    which += [sender == address] if address else []
    which += [sender.endswith(f"@{domain}", autoescape=True)] if domain else []
    found = _views(session, *which, limit=limit)
    return found, session.exec(select(func.count()).select_from(Inbox).where(*which)).one() - len(found)


def one(session: Session, number: int) -> IncomingView:
    """A mail, whatever became of it. Raises BadRequest where there is none of this number."""
    for mail in _views(session, col(Inbox.id) == number, limit=1):
        return mail
    raise BadRequest(f"There is no mail {number} in the inbox.")


def _views(session: Session, *which: ColumnElement[bool], limit: int) -> list[IncomingView]:
    query = select(Inbox, func.length(Inbox.sealed)).options(defer(Inbox.sealed))  # type: ignore[arg-type]
    rows = session.exec(query.where(*which).order_by(col(Inbox.id)).limit(limit))
    return [_view(mail, size or 0) for mail, size in rows]


def _view(mail: Inbox, size: int) -> IncomingView:
    return IncomingView(
        number=mail.id or 0,
        state=mail.state,
        why=untagged(in_a_line(mail.why)),
        received_at=mail.received_at,
        source=mail.source,
        sender=untagged(in_a_line(mail.mail_from)) or "<>",
        recipient=in_a_line(mail.recipient).partition("+")[0],
        game=mail.game_id,
        kilobytes=-(-size // _SEALED_KILOBYTE),
        attempts=mail.attempts,
        put_off=mail.put_off,
        due_at=mail.due_at,
    )

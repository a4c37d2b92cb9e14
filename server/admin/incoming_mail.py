"""Quarantined emails, which wait for an administrator, and the inbox as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, or_, select

from mail.fields import split
from server.admin.audit import AdminAction
from server.admin.sanitize import harmless, in_a_line, untagged
from server.errors import BadRequest
from server.store.db import locked
from server.store.keys.sealing import Sealer
from server.store.models import Inbox

_SHOWN = ("From", "To", "Date", "Message-ID")
_SHOWN_OF_NO_GAME = ("Subject",)
"""The subject of an email for a game could be a move."""
_WAITING = ("new", "asked", "quarantined")
_SEALED_KILOBYTE = 4000 // 3
"""The encrypted size of 1000 bytes."""


@dataclass(frozen=True)
class IncomingView:
    """An incoming email; `sender` is its envelope sender, `state` as in `models.Inbox`."""

    number: int
    state: str
    why: str
    received_at: datetime
    source: str
    sender: str
    recipient: str
    """Without the signed tag."""
    game: int | None
    kilobytes: int
    """The approximate size, rounded up; 0 after its text was deleted."""
    attempts: int
    put_off: int
    due_at: datetime

    @property
    def is_readable(self) -> bool:
        """True if administrators may read it: not if it is for a game, as it could contain secret orders."""
        return self.game is None and self.kilobytes > 0


def list_quarantined(session: Session, limit: int | None = None, skip: int = 0) -> Sequence[IncomingView]:
    """Return the quarantined emails, the oldest first."""
    return _views(session, col(Inbox.state) == "quarantined", limit=limit, skip=skip)


def get_quarantined(session: Session, number: int) -> IncomingView:
    """Return a quarantined email. Raises BadRequest if it does not exist."""
    _mail(session, number)
    return get_incoming(session, number)


def header(session: Session, sealer: Sealer, number: int) -> list[tuple[str, str]]:
    """Return the main header fields of a quarantined email, without control characters.

    The subject is included only if the email is for no game. Raises BadRequest and UnknownKey.
    """
    mail = _mail(session, number)
    names = _SHOWN if mail.game_id is not None else (*_SHOWN, *_SHOWN_OF_NO_GAME)
    fields = split(sealer.open(mail.sealed or sealer.seal(b"")))[0]
    return [(name, harmless(value)) for name in names for value in fields.all(name)]


def read(admin_action: AdminAction, number: int) -> str:
    """Return the raw text of a quarantined email; the access is logged. Raises BadRequest if forbidden."""
    mail = _mail(admin_action.session, number)
    if mail.game_id is not None or mail.sealed is None:
        raise BadRequest(f"Email {number} is for a game, so only its players may read it.")
    text = admin_action.action.sealer.open(mail.sealed).decode(errors="replace")
    admin_action.note(f"read email {number}")
    return harmless(text)


def deliver_again(admin_action: AdminAction, number: int) -> None:
    """Process a quarantined email again, as if it were new. Raises BadRequest if it does not exist."""
    mail = _locked(admin_action.session, number)
    mail.state, mail.due_at, mail.handled_at = "new", admin_action.action.now, None
    mail.attempts = mail.put_off = 0
    admin_action.note(f"processed email {number} again")


def drop(admin_action: AdminAction, number: int, why: str) -> None:
    """Discard a quarantined email; like refused ones, it is kept for a while. Raises BadRequest."""
    mail = _locked(admin_action.session, number)
    mail.state, mail.why = "refused", "an administrator discarded it"
    mail.handled_at = admin_action.action.now
    admin_action.note(f"discarded email {number}", why=why)


def _mail(session: Session, number: int) -> Inbox:
    return _quarantined(session.get(Inbox, number), number)


def _locked(session: Session, number: int) -> Inbox:
    """Return a quarantined email locked, so that of two simultaneous changes the second one fails."""
    return _quarantined(locked(session, Inbox, number), number)


def _quarantined(mail: Inbox | None, number: int) -> Inbox:
    if mail is None or mail.state != "quarantined":
        raise BadRequest(f"There is no quarantined email {number}.")
    return mail


def list_unfinished(
    session: Session, limit: int, *, address: str = "", domain: str = ""
) -> tuple[Sequence[IncomingView], int]:
    """Return the unfinished emails (all, or from an address or domain), the oldest first, and how many more."""
    which: list[ColumnElement[bool]] = [col(Inbox.state).in_(_WAITING)]
    which += [col(Inbox.mail_from) == address] if address else []
    which += [col(Inbox.mail_from).endswith(f"@{domain}", autoescape=True)] if domain else []
    found = _views(session, *which, limit=limit)
    return found, session.exec(select(func.count()).select_from(Inbox).where(*which)).one() - len(found)


def latest(session: Session, limit: int, *which: ColumnElement[bool]) -> Sequence[IncomingView]:
    """Return the emails in any state that match one of the conditions, the latest first."""
    newest_first = col(Inbox.id).desc()
    found = [select(Inbox.id).where(each).order_by(newest_first).limit(limit) for each in which]
    wanted = or_(*(col(Inbox.id).in_(each) for each in found))
    return _views(session, wanted, limit=limit, order=newest_first)


def get_incoming(session: Session, number: int) -> IncomingView:
    """Return an incoming email in any state. Raises BadRequest if it does not exist."""
    for mail in _views(session, col(Inbox.id) == number, limit=1):
        return mail
    raise BadRequest(f"There is no email {number} in the inbox.")


def _views(
    session: Session, *which: ColumnElement[bool], limit: int | None, skip: int = 0, order: Any = Inbox.id
) -> list[IncomingView]:
    query = select(Inbox, func.length(Inbox.sealed)).options(defer(Inbox.sealed))  # type: ignore[arg-type]
    rows = session.exec(query.where(*which).order_by(order).offset(skip).limit(limit))
    return [_incoming_view(mail, size or 0) for mail, size in rows]


def _incoming_view(mail: Inbox, size: int) -> IncomingView:
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

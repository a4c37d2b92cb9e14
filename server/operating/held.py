"""Mails that came in and wait for an operator."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from mail.fields import split
from server.errors import BadRequest
from server.operating.deeds import Office
from server.operating.shown import harmless
from server.store.db import locked
from server.store.models import Inbox
from server.store.sealing import Sealer

_SHOWN = ("From", "To", "Date", "Message-ID")
_SHOWN_OF_NO_GAME = ("Subject",)
"""The subject of a mail for a game may be a move."""


@dataclass(frozen=True)
class HeldView:
    """A held mail as operators see it; `sender` is whom its envelope names."""

    number: int
    received_at: datetime
    sender: str
    recipient: str
    why: str
    is_readable: bool
    """Whether operators may read it: not one for a game, as it may hold orders."""


def listed(session: Session, limit: int | None = None, skip: int = 0) -> Sequence[HeldView]:
    """The held mails, the oldest first."""
    query = select(Inbox).where(Inbox.state == "held").order_by(col(Inbox.id)).offset(skip).limit(limit)
    return [_view(mail) for mail in session.exec(query)]


def one(session: Session, number: int) -> HeldView:
    """A held mail. Raises BadRequest where there is none of this number."""
    return _view(_mail(session, number))


def header(session: Session, sealer: Sealer, number: int) -> list[tuple[str, str]]:
    """Names and values of a held mail's fields that say where it is from, without signs that do something.

    Raises BadRequest, and UnknownKey.
    """
    mail = _mail(session, number)
    names = _SHOWN if mail.game_id is not None else (*_SHOWN, *_SHOWN_OF_NO_GAME)
    fields = split(sealer.open(mail.sealed or sealer.seal(b"")))[0]
    return [(name, harmless(value)) for name in names for value in fields.all(name)]


def read(office: Office, number: int) -> str:
    """The raw text of a held mail, without signs that do something; that it was read is written down.

    Raises BadRequest for one that operators may not read.
    """
    mail = _mail(office.session, number)
    if mail.game_id is not None or mail.sealed is None:
        raise BadRequest(f"Mail {number} is for a game: only its players may read it.")
    text = office.action.sealer.open(mail.sealed).decode(errors="replace")
    office.note(f"read mail {number}")
    return harmless(text)


def deliver_again(office: Office, number: int) -> None:
    """Have a held mail handled again, as if it had just come in. Raises BadRequest."""
    mail = _locked(office.session, number)
    mail.state, mail.due_at, mail.handled_at = "new", office.action.now, None
    mail.attempts = mail.put_off = 0
    office.note(f"delivered mail {number} again")


def drop(office: Office, number: int, why: str) -> None:
    """Never handle a held mail; it is kept as long as any that was refused. Raises BadRequest."""
    mail = _locked(office.session, number)
    mail.state, mail.why = "refused", "an operator dropped it"
    mail.handled_at = office.action.now
    office.note(f"dropped mail {number}", why=why)


def _mail(session: Session, number: int) -> Inbox:
    return _held(session.get(Inbox, number), number)


def _locked(session: Session, number: int) -> Inbox:
    """The same, for whoever changes something about it: of two who do so at once, the second one fails."""
    return _held(locked(session, Inbox, number), number)


def _held(mail: Inbox | None, number: int) -> Inbox:
    if mail is None or mail.state != "held":
        raise BadRequest(f"There is no held mail {number}.")
    return mail


def _view(mail: Inbox) -> HeldView:
    readable = mail.game_id is None and mail.sealed is not None
    sender, recipient = harmless(mail.mail_from) or "<>", mail.recipient.partition("+")[0]
    return HeldView(mail.id or 0, mail.received_at, sender, recipient, mail.why, readable)

"""Mails that do not reach people, and people whose mail was stopped because of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from server.accounts import bounces, players
from server.errors import BadRequest
from server.operating.deeds import Office
from server.operating.shown import in_a_line, untagged
from server.outbound.letters.account import Games
from server.store.db import locked
from server.store.models import Outbox, Player
from server.store.outbox import queue_again

ENDED = ("failed", "returned")
"""States of a mail that nothing more is done about."""


@dataclass(frozen=True)
class MailView:
    """A mail that was not taken; what it says or is about is nobody's business but its receiver's."""

    number: int
    recipient: str
    due_at: datetime
    attempts: int
    error: str


@dataclass(frozen=True)
class SuspendedView:
    """A player whose mail was stopped because it came back."""

    number: int
    name: str
    email: str
    since: datetime
    score: int


def delayed(session: Session, limit: int, skip: int = 0) -> Sequence[MailView]:
    """The mails that were tried in vain and are tried again, the next one first."""
    query = select(Outbox).where(col(Outbox.state) == "queued", col(Outbox.attempts) > 0)
    return _views(
        session.exec(query.order_by(col(Outbox.due_at), col(Outbox.id)).offset(skip).limit(limit)).all()
    )


def ended(session: Session, limit: int | None = None, skip: int = 0) -> Sequence[MailView]:
    """The mails that were given up or came back, the oldest first."""
    query = select(Outbox).where(col(Outbox.state).in_(ENDED)).order_by(col(Outbox.id))
    return _views(session.exec(query.offset(skip).limit(limit)).all())


def send_again(office: Office, *, number: int | None = None, address: str | None = None) -> int:
    """Send mails again that were given up or came back: one, those to an address, or all; how many."""
    which: list[ColumnElement[bool]] = [col(Outbox.state).in_(ENDED)]
    which += [] if number is None else [col(Outbox.id) == number]
    which += [] if address is None else [col(Outbox.recipient) == address]
    count = queue_again(office.session, office.action.now, *which)
    if count:
        office.note(f"sent {count} {'mail' if count == 1 else 'mails'} again")
    return count


def try_now(office: Office, number: int) -> None:
    """Try a mail now that would be tried later. Raises BadRequest where it does not wait any more."""
    mail = _waiting(office.session, number)
    mail.due_at = office.action.now
    office.session.add(mail)
    office.note(f"had mail {number} to be sent tried at once")


def give_up(office: Office, number: int) -> None:
    """Try a mail no more. Raises BadRequest where it does not wait any more."""
    mail = _waiting(office.session, number)
    mail.state, mail.due_at = "failed", office.action.now
    office.session.add(mail)
    office.note(f"gave up mail {number} to be sent")


def suspended(session: Session, limit: int | None = None, skip: int = 0) -> Sequence[SuspendedView]:
    """The players whose mail was stopped because it came back, the earliest first."""
    query = select(Player).where(col(Player.suspended_at).is_not(None))
    rows = session.exec(query.order_by(col(Player.suspended_at), col(Player.id)).offset(skip).limit(limit))
    return [
        SuspendedView(
            players.identity(player), player.name, player.email, player.suspended_at, player.bounce_score
        )
        for player in rows
        if player.suspended_at is not None
    ]


def resume(office: Office, player: Player) -> None:
    """Mail to a player again whose mail came back: first how their games stand. Raises BadRequest."""
    if player.suspended_at is None:
        raise BadRequest(f"Mail to {player.name} is not stopped because of mails that came back.")
    bounces.heard_from(office.action, player, Games(players.identity(player)))
    office.session.add(player)
    office.note("resumed mail", player=players.identity(player))


def _waiting(session: Session, number: int) -> Outbox:
    mail = locked(session, Outbox, number)
    if mail is None or mail.state != "queued" or not mail.attempts:
        raise BadRequest("This mail does not wait any more.")
    return mail


def _views(mails: Sequence[Outbox]) -> list[MailView]:
    return [
        MailView(mail.id or 0, mail.recipient, mail.due_at, mail.attempts, untagged(in_a_line(mail.error)))
        for mail in mails
    ]

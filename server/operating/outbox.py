"""The mails that are to be sent: which letter goes to whom about which game, and nothing of what it says.

This is for the command line, whose user has the database anyway: on a page it would tell who did something just
now.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from server.errors import BadRequest
from server.operating.deeds import Office
from server.operating.shown import in_a_line, untagged
from server.outbound.holding import HELD
from server.store.db import locked
from server.store.models import Outbox
from server.store.outbox import WAITING


@dataclass(frozen=True)
class OutgoingView:
    """A mail of ours; `state` as in `models.Outbox`, `game` if it is about one."""

    number: int
    state: str
    recipient: str
    letter: str
    game: int | None
    written_at: datetime
    due_at: datetime
    sent_at: datetime | None
    attempts: int
    failing_since: datetime | None
    error: str

    @property
    def is_held(self) -> bool:
        """Whether nothing is sent to its domain for now."""
        return self.state == HELD


def listed(
    session: Session, limit: int, *, address: str = "", domain: str = ""
) -> tuple[Sequence[OutgoingView], int]:
    """The mails that are to be sent, the next one first, to whomever or there; and how many more there are."""
    which: list[ColumnElement[bool]] = [col(Outbox.state).in_(WAITING)]
    which += [col(Outbox.recipient) == address] if address else []
    which += [col(Outbox.domain) == domain] if domain else []
    query = select(Outbox).where(*which).order_by(col(Outbox.due_at), col(Outbox.id)).limit(limit)
    found = [_view(mail) for mail in session.exec(query)]
    return found, session.exec(select(func.count()).select_from(Outbox).where(*which)).one() - len(found)


def one(session: Session, number: int) -> OutgoingView:
    """A mail, whatever became of it. Raises BadRequest where there is none of this number."""
    mail = session.get(Outbox, number)
    if mail is None:
        raise BadRequest(f"There is no mail {number} in the outbox.")
    return _view(mail)


def drop(office: Office, number: int, why: str) -> None:
    """Never send a mail; whoever it is for is told nothing of it. Raises BadRequest where it does not wait."""
    mail = locked(office.session, Outbox, number)
    if mail is None or mail.state not in WAITING:
        raise BadRequest(f"Mail {number} does not wait to be sent.")
    mail.state, mail.due_at = "dropped", office.action.now
    office.session.add(mail)
    office.note(f"dropped mail {number} to be sent", why=why)


def _view(mail: Outbox) -> OutgoingView:
    return OutgoingView(
        number=mail.id or 0,
        state=mail.state,
        recipient=mail.recipient,
        letter=mail.letter,
        game=mail.game_id,
        written_at=mail.created_at,
        due_at=mail.due_at,
        sent_at=mail.sent_at,
        attempts=mail.attempts,
        failing_since=mail.failing_since,
        error=untagged(in_a_line(mail.error)),
    )

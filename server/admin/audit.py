"""The audit log: all actions of administrators and moderators, on pages and on the command line."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from rules.limits import LONGEST_NAME
from server.errors import BadRequest
from server.store.models import AuditEntry, Player
from server.store.outbox import ActionContext

COMMAND_LINE = "the command line"


@dataclass(frozen=True)
class AdminAction:
    """An action of an administrator or moderator; `by` is their number, None on the command line."""

    action: ActionContext
    by: int | None = None

    @property
    def session(self) -> Session:
        """The transaction of the action."""
        return self.action.session

    def note(self, what: str, *, player: int | None = None, game: int | None = None, why: str = "") -> None:
        """Add an entry to the audit log; `what` must contain no secret and no text of an email."""
        self.session.add(
            AuditEntry(at=self.action.now, by_id=self.by, what=what, player_id=player, game_id=game, why=why)
        )


@dataclass(frozen=True)
class DeedView:
    """An entry of the audit log as shown; `player` and `by` are names, `number` is the player's number."""

    at: datetime
    by: str
    what: str
    player: str
    number: int | None
    game: int | None
    why: str


def done(
    session: Session, limit: int | None = None, skip: int = 0, about: int | None = None
) -> Sequence[DeedView]:
    """Return the audit log, the latest first, or only the entries `about` the player with this number."""
    who, whom = aliased(Player), aliased(Player)
    query = (
        select(AuditEntry, who.name, whom.name)
        .outerjoin(who, col(AuditEntry.by_id) == who.id)
        .outerjoin(whom, col(AuditEntry.player_id) == whom.id)
        .order_by(col(AuditEntry.id).desc())
        .offset(skip)
        .limit(limit)
    )
    if about is not None:
        query = query.where(col(AuditEntry.player_id) == about)
    return [
        DeedView(deed.at, by or COMMAND_LINE, deed.what, name or "", deed.player_id, deed.game_id, deed.why)
        for deed, by, name in session.exec(query)
    ]


def reason(written: str) -> str:
    """Return an administrator's reason in one line. Raises BadRequest if it is empty or too long."""
    words = " ".join(written.split())
    if not words:
        raise BadRequest("Give a reason in a few words.")
    if len(words) > LONGEST_NAME:
        raise BadRequest(f"A reason has at most {LONGEST_NAME} characters; yours has {len(words)}.")
    return words

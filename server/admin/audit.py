"""What was done by those who have a role, or on the command line: written down as it is done, and kept."""

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
    """An action of somebody who has a role: `by` is their number, None for whoever uses the command line."""

    action: ActionContext
    by: int | None = None

    @property
    def session(self) -> Session:
        """The transaction in which all of it happens."""
        return self.action.session

    def note(self, what: str, *, player: int | None = None, game: int | None = None, why: str = "") -> None:
        """Write down what is done in this transaction, about whom, and why.

        `what` holds no secret, and nothing that a mail says.
        """
        self.session.add(
            AuditEntry(at=self.action.now, by_id=self.by, what=what, player_id=player, game_id=game, why=why)
        )


@dataclass(frozen=True)
class DeedView:
    """A deed as it is shown; `player` and `by` are names, `number` is the player's."""

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
    """The deeds, the latest first, without the first `skip`: all, or those `about` one player, by number."""
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
    """The reason that an administrator gives, in one line, short enough for a result. Raises BadRequest."""
    words = " ".join(written.split())
    if not words:
        raise BadRequest("Give a reason, in a few words.")
    if len(words) > LONGEST_NAME:
        raise BadRequest(f"A reason has at most {LONGEST_NAME} characters; yours has {len(words)}.")
    return words

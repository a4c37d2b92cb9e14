"""Variations: lines of a game that a player keeps, with a comment, and can share by a link.

They are encrypted like notes, because a player with sealed orders may have tried out just these.
"""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from server.errors import BadRequest
from server.game.log import log
from server.limits import LONGEST_LINE, MOST_VARIATIONS
from server.store.keys.sealing import Sealer
from server.store.models import Game, Variation
from server.store.statements.planned_session import RowStatement

_SECRET_BYTES = 16
_ROWS: RowStatement[Variation] = RowStatement(
    select(Variation)
    .where(Variation.game_id == bindparam("game"), Variation.player_id == bindparam("player"))
    .order_by(col(Variation.number).desc())
)
"""Built once, because every page of a game uses it."""


@dataclass(frozen=True)
class Kept:
    """A stored variation: its moves, the turn after which it begins (0 for the start), and a comment."""

    turn: int
    parts: tuple[str, ...]
    comment: str = ""
    link: str = ""
    """The secret part of its public address; "" for none."""


@dataclass(frozen=True)
class Variations:
    """The variations of a game that one player keeps; `player` is the player's number."""

    session: Session
    sealer: Sealer
    game: Game
    player: int

    def all(self) -> dict[int, Kept]:
        """Return a mapping from the number of each variation to the variation, latest first."""
        return {row.number: _open(self.sealer, row) for row in self._rows()}

    def keep(self, turn: int, parts: Sequence[str], comment: str) -> int:
        """Store a variation of at least one move after `turn`, and return its number.

        Raises BadRequest if there are too many, or if the comment is longer than a line may be.
        """
        rows = self._rows()
        if not parts:
            raise BadRequest("There is nothing to save yet: try a move first.")
        if len(comment) > LONGEST_LINE:
            raise BadRequest(f"Your comment is too long: use at most {LONGEST_LINE} characters.")
        if len(rows) >= MOST_VARIATIONS:
            raise BadRequest(f"You can keep at most {MOST_VARIATIONS} variations of a game: delete one first.")
        number = rows[0].number + 1 if rows else 1
        kept = Kept(turn, tuple(parts), self.sealer.without_secrets(comment, LONGEST_LINE))
        row = Variation(game_id=log.id_of(self.game), player_id=self.player, number=number, sealed=b"")
        self.session.add(_seal(self.sealer, row, kept))
        return number

    def share(self, number: int) -> None:
        """Create a secret link to a variation; a link that exists already stays valid."""
        row = self._row(number)
        kept = _open(self.sealer, row)
        if not kept.link:
            _seal(self.sealer, row, replace(kept, link=secrets.token_urlsafe(_SECRET_BYTES)))

    def withdraw(self, number: int) -> None:
        """Make the link to a variation invalid for ever."""
        row = self._row(number)
        _seal(self.sealer, row, replace(_open(self.sealer, row), link=""))

    def delete(self, number: int) -> None:
        """Delete a variation."""
        self.session.delete(self._row(number))

    def _rows(self) -> Sequence[Variation]:
        found = _ROWS(self.session, {"game": self.game.id, "player": self.player})
        return [row for (row,) in found]

    def _row(self, number: int) -> Variation:
        row = next((row for row in self._rows() if row.number == number), None)
        if row is None:
            raise BadRequest("This variation has been deleted.")
        return row


@dataclass(frozen=True)
class Shared:
    """A variation that is shared by a link, with the number of the player who keeps it."""

    player: int
    kept: Kept


def shared(session: Session, sealer: Sealer, game: Game, link: str) -> Shared | None:
    """Return the variation of this game that `link` shows; None if the link is invalid or was withdrawn."""
    query = select(Variation).where(Variation.game_id == game.id, Variation.link_hash == _hash(link))
    row = session.exec(query).first()
    return None if row is None else Shared(row.player_id, _open(sealer, row))


def _open(sealer: Sealer, row: Variation) -> Kept:
    data = sealer.open_json(row.sealed)
    return Kept(**{**data, "parts": tuple(data["parts"])})


def _seal(sealer: Sealer, row: Variation, kept: Kept) -> Variation:
    row.sealed = sealer.seal_json(asdict(kept))
    row.link_hash = _hash(kept.link) if kept.link else None
    return row


def _hash(link: str) -> str:
    return sha256(link.encode()).hexdigest()

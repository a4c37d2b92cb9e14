"""Marks of boards: a number in a reply address that identifies the board its reader saw."""

from typing import Any

from sqlalchemy import BindParameter, and_, bindparam
from sqlmodel import Session, col, or_, select

from server.game.log.log import id_of
from server.store.db import once
from server.store.models import Entry, Game

_DIGITS = 4
_LAST: BindParameter[int] = bindparam("last")
_STANDING = or_(col(Entry.undone_by).is_(None), col(Entry.undone_by) > _LAST)
_BOARD = (
    select(Entry.checksum, Entry.hash)
    .where(Entry.game_id == bindparam("game"))
    .where(or_(Entry.number == 0, and_(col(Entry.turn) <= _LAST, _STANDING)))
    .order_by(col(Entry.number).desc())
    .limit(1)
)


def mark_before(session: Session, game: Game, turn: int) -> int:
    """Return a number from 1 to 65,535 that identifies the board before a turn; 0 for an invitation.

    After a restore, another turn may get the number of a lost one: the marks of the two boards differ. The mark
    comes from the position after the last turn, or from the start of the game, and not from the head of the
    log, which also changes with credits and pauses.
    """
    if turn == 0:
        return 0
    return once(session, "mark", (game.id, turn), lambda: _mark(session, id_of(game), turn))


def _mark(session: Session, number: int, turn: int) -> int:
    given: dict[str, Any] = {"game": number, "last": turn - 1}
    found = session.execute(_BOARD, given).first()
    if found is None:
        return 0
    return int((found.checksum or found.hash)[:_DIGITS], 16) or 1

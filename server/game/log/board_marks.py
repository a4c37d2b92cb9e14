"""Marks of boards: a number in a reply address that identifies the board its reader saw."""

from sqlmodel import Session

from server.game.log.log import id_of
from server.store.db import once
from server.store.models import Game
from server.store.statements import prepared_statements

_DIGITS = 4


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
    found = prepared_statements.BOARD(session, game=number, last=turn - 1).first()
    if found is None:
        return 0
    checksum, digest = found
    return int((checksum or digest)[:_DIGITS], 16) or 1

"""Helpers that write conditional moves, and read the stored ones."""

from __future__ import annotations

from server.game.log import log
from server.game.play import conditional_moves, moves
from server.game.play.target import Target
from server.store.db import reading, writing
from server.store.models import Seat
from server.store.outbox import ActionContext
from tests.support.server.games import TwoPlayerGame


def write(table: TwoPlayerGame, seat: int, text: str, *, turn: int | None = None) -> list[str]:
    """Give the conditional moves of a seat, without a move."""
    target = Target(table.number, seat, table.game().turn if turn is None else turn)
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        return moves.set_conditions(action, table.players[seat], target, text)


def play_with(table: TwoPlayerGame, seat: int, move: str, text: str) -> None:
    """Play a move with conditional moves below it."""
    target = Target(table.number, seat, table.game().turn)
    with writing(table.services.engine) as session:
        action = ActionContext(session, table.services.sealer, table.services.now())
        moves.submit(action, table.players[seat], target, move, conditions=text)


def kept(table: TwoPlayerGame, seat: int) -> list[str]:
    """Return the stored conditional moves of a seat."""
    with reading(table.services.engine) as session:
        target = session.get_one(Seat, (table.number, seat))
        return conditional_moves.write(conditional_moves.load_moves(table.services.sealer, target))


def lines(table: TwoPlayerGame) -> list[str]:
    """Return all moves that were played."""
    with reading(table.services.engine) as session:
        return [entry.body["line"]["move"] for entry in log.turns(session, table.game())]


SEQUENTIAL = [("nebuchadnezzar", {"size": 4}), ("nexus", {"players": 2}), ("nibble", {"board": "square-9"})]

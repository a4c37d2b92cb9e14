"""Exports of a game: as plain text, and as a series of boards for an animation."""

from collections.abc import Sequence

from sqlmodel import Session

from rules.drawing import ascii_board
from server.game.log import log
from server.game.views import history
from server.game.views.boards import Board
from server.game.views.game_view import GameView
from server.store.models import Game


def as_text(session: Session, game: Game, view: GameView) -> str:
    """Return the terms, the players, all moves, the result and the current board, as everyone may see them."""
    head = [f"{view.title}, game {view.number}", view.options, *(seat.label for seat in view.seats)]
    found = history.lines(session, game, [seat.name for seat in view.seats])
    moves = [line for turn in found for line in _numbered(turn)]
    board = ascii_board(history.board_after(session, game, game.turn - 1, None).diagram)
    parts = ("\n".join(filter(None, head)), "\n".join(moves), view.result, board)
    return "\n\n".join(filter(None, parts)) + "\n"


def boards(session: Session, game: Game, last: int, most: int) -> list[Board]:
    """Return the boards from the start to turn `last`, as everyone sees them: at most `most`, evenly spread."""
    rules = log.rules_of(game)
    start = Board(rules, rules.start(game.options, game.setup))
    steps = log.steps(session, game, 1, last)
    return _spread([start, *(Board(rules, step.after, step=step) for _, step in steps)], most)


def _numbered(turn: history.TurnLineView) -> list[str]:
    """Return the lines of a turn, with its number; takebacks have no number."""
    number = f"{turn.number}. " if turn.is_turn else ""
    first, *others = turn.played
    return [number + first, *(" " * len(number) + line for line in others)]


def _spread(found: Sequence[Board], most: int) -> list[Board]:
    if len(found) <= most:
        return list(found)
    return [found[index * (len(found) - 1) // (most - 1)] for index in range(most)]

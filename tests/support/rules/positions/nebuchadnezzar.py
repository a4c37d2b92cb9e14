"""Positions of Nebuchadnezzar drawn in a line, and turns typed as texts, for its tests."""

from __future__ import annotations

import pytest

from rules.errors import IllegalMove
from rules.game import Step
from rules.games.nebuchadnezzar.board import Move
from rules.games.nebuchadnezzar.position import Position
from rules.games.nebuchadnezzar.rules import Nebuchadnezzar

NEBUCHADNEZZAR = Nebuchadnezzar()


def position(picture: str, to_move: int = 1, ply: int = 0, memory: tuple[str, ...] = ()) -> Position:
    """Return a position from ranks from the top, separated by spaces. Black is seat 0; ply 0 is the start of a
    game.
    """
    rows = picture.split()
    data = {"size": len(rows), "rows": rows, "colours": ["black", "white"], "to_move": to_move, "ply": ply}
    return NEBUCHADNEZZAR.read({"size": len(rows)}, data, memory)


def opening(size: int, *turns: str) -> Position:
    """Return the position after these turns."""
    now = NEBUCHADNEZZAR.start({"size": size}, {})
    for text in turns:
        now = after(now, text)
    return now


def step(now: Position, text: str) -> Step[Position, Move]:
    """Return the turn of the seat to move."""
    moves = {now.to_move: NEBUCHADNEZZAR.parse(now, now.to_move, text)}
    return Step(now, moves, NEBUCHADNEZZAR.play(now, moves))


def after(now: Position, text: str) -> Position:
    """Return the position after a turn of the seat to move."""
    return step(now, text).after


def texts(now: Position) -> list[str]:
    """Return all moves of the seat to move."""
    return [NEBUCHADNEZZAR.format(move) for move in NEBUCHADNEZZAR.moves(now, now.to_move)]


def refusal(now: Position, text: str) -> str:
    """Return the sentence that refuses an illegal move of the seat to move."""
    with pytest.raises(IllegalMove) as refused:
        NEBUCHADNEZZAR.parse(now, now.to_move, text)
    return str(refused.value)

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
    """Ranks from the top, parted by spaces. Black is seat 0; ply 0 says that the game began like this."""
    rows = picture.split()
    data = {"size": len(rows), "rows": rows, "colours": ["black", "white"], "to_move": to_move, "ply": ply}
    return NEBUCHADNEZZAR.read({"size": len(rows)}, data, memory)


def opening(size: int, *turns: str) -> Position:
    """The position after these turns."""
    now = NEBUCHADNEZZAR.start({"size": size}, {})
    for text in turns:
        now = after(now, text)
    return now


def step(now: Position, text: str) -> Step[Position, Move]:
    """The turn of the seat to move."""
    moves = {now.to_move: NEBUCHADNEZZAR.parse(now, now.to_move, text)}
    return Step(now, moves, NEBUCHADNEZZAR.play(now, moves))


def after(now: Position, text: str) -> Position:
    """The position after a turn of the seat to move."""
    return step(now, text).after


def texts(now: Position) -> list[str]:
    """All moves of the seat to move."""
    return [NEBUCHADNEZZAR.format(move) for move in NEBUCHADNEZZAR.moves(now, now.to_move)]


def refusal(now: Position, text: str) -> str:
    """The sentence with which an illegal move of the seat to move is refused."""
    with pytest.raises(IllegalMove) as refused:
        NEBUCHADNEZZAR.parse(now, now.to_move, text)
    return str(refused.value)

"""Nibble in sentences: the possible moves."""

from __future__ import annotations

from rules.drawing.description import in_order
from rules.games.nibble.board import Board, colour_name, each
from rules.games.nibble.position import Position
from rules.games.nibble.turn import singles


def possible(board: Board, position: Position) -> str:
    """Return a sentence with the blocks that can be taken on their own, by colour."""
    found: dict[int, list[str]] = {}
    for square in each(singles(board, position)):
        found.setdefault(position.colour(square), []).append(board.names[square])
    colours = (f"{colour_name(colour)} {', '.join(in_order(names))}" for colour, names in sorted(found.items()))
    return f"You can take blocks of one of these colours: {'; '.join(colours)}."

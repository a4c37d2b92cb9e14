"""Nebuchadnezzar in sentences: the possible moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.drawing.description import in_order
from rules.games.nebuchadnezzar.board import Flip, Move, Place, Swap
from rules.games.nebuchadnezzar.notation import write_move
from rules.games.nebuchadnezzar.picture import label
from rules.sentences import enumerated

_FLIPS = 20


def possible(moves: Iterable[Move]) -> Iterator[str]:
    """Yield sentences that list the possible placements and flips."""
    every = list(moves)
    free = in_order(write_move(move) for move in every if isinstance(move, Place))
    if free:
        yield f"You can place a disc on {enumerated(free, most=len(free))}."
    flips = [label(move).removeprefix("flip ") for move in every if isinstance(move, Flip)]
    if flips:
        yield f"You can flip {enumerated(flips, _FLIPS)}."
    if any(isinstance(move, Swap) for move in every):
        yield "You can swap colours."

"""NEXUS in sentences: the position and the possible moves."""

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing.description import in_order
from rules.games.nexus.board import Board, ordinary_steps, reachable
from rules.games.nexus.legality import contents
from rules.games.nexus.notation import write_steps
from rules.games.nexus.position import Position
from rules.geometry.hexes import names
from rules.sentences import enumerated


def pieces(position: Position) -> Iterator[str]:
    """Yield sentences that list the rings by the marbles on them."""
    rings: dict[str, list[str]] = {}
    for ring, marbles in sorted(position.rings):
        rings.setdefault("".join(sorted(marbles)), []).append(names()[ring])
    for marbles, places in sorted(rings.items()):
        what = contents(marbles) + " each" * (len(places) > 1) if marbles else "Empty rings"
        yield f"{what}: {', '.join(in_order(places))}."


def possible(board: Board, colour: str, *, add: bool, walk: bool, change: bool) -> Iterator[str]:
    """Yield a sentence for each allowed action, with the rings that it can use."""
    rings = in_order(names()[ring] for ring in reachable(board, colour))
    if add and len(rings) >= 3:
        yield f"You can add, on three of the rings {', '.join(rings)}."
    steps = enumerated(write_steps([step])[0] for step in ordinary_steps(board, colour))
    if walk and steps:
        yield f"You can move twice; the first step, without a sacrifice: {steps}."
    if change:
        yield "You can change rings: take four empty ones away and put them down elsewhere."

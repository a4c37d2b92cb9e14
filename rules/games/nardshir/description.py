"""Nardshir in sentences: the position and the possible moves."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.nardshir.board import OFF, hop_between, open_ways
from rules.games.nardshir.notation import stretch_text
from rules.games.nardshir.position import SEATS, Position
from rules.sentences import enumerated


def pieces(position: Position, seat: int | None) -> Iterator[str]:
    """Yield sentences about the discs on points, with the numbers of `seat` or, with None, of the seat to move.

    The captions of the board contain all other discs.
    """
    viewer = position.to_move if seat is None else seat
    for side in (viewer, 1 - viewer):
        discs = position.discs[side]
        points = [
            (point if side == viewer else OFF - point, count)
            for point, count in enumerate(discs)
            if 0 < point < OFF and count
        ]
        stacks = enumerated(f"{count} on {point}" for point, count in sorted(points))
        yield f"{SEATS[side]}: {stacks}." if stacks else f"{SEATS[side]} has no disc on the board."
    if seat is None:
        yield f"The numbers are those of {SEATS[viewer]}."


def possible(position: Position) -> Iterator[str]:
    """Yield a sentence about the first moves that each die allows; later moves depend on the first."""
    mine, theirs = position.sides(position.to_move)
    for die in dict.fromkeys(position.dice):
        hops = [hop_between(theirs, *way) for way in open_ways(mine, theirs, [die])]
        texts = enumerated(stretch_text(hop.start, hop.end, hop.hit) for hop in hops)
        yield f"With a {die} first: {texts or 'nothing'}."

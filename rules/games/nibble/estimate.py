"""How good a position of Nibble is, for computer players."""

from __future__ import annotations

from functools import cache
from math import comb

from rules.games.nibble.position import Position, majority


def estimate(position: Position) -> tuple[float, float]:
    """The share of the win that each seat can expect if each block left goes to either with equal chance."""
    colours = len(position.blocks)
    chances = [1.0]
    """By the number of colours of which the first seat has the majority, among those looked at so far."""
    for first, second in zip(*position.taken, strict=True):
        of_colour = _majority_chance(colours, first, colours - first - second)
        chances = [
            lost * (1 - of_colour) + won * of_colour
            for lost, won in zip([*chances, 0.0], [0.0, *chances], strict=True)
        ]
    share = sum(chances[majority(colours) :])
    return share, 1 - share


@cache
def _majority_chance(full: int, own: int, left: int) -> float:
    """The chance to get the majority of a colour with `own` of its blocks taken and so many left."""
    missing = majority(full) - own
    return sum(comb(left, more) for more in range(max(missing, 0), left + 1)) / float(2**left)

"""The value of a position of NEXUS, for computer players."""

from __future__ import annotations

from math import exp

from rules.games.nexus.board import owned
from rules.games.nexus.position import LETTERS, Position

_SPREAD = 4.0
"""The lead in marbles that gives about three wins in four between two players."""
_FREE = 0.5
"""The extra value of a marble on the board that can leave its ring."""


def estimate(position: Position) -> tuple[float, ...]:
    """Return each seat's expected share of the win, from the marbles on the board and in reserve."""
    worth = [float(reserve) for reserve in position.reserve]
    for _, marbles in position.rings:
        if marbles:
            bonus = _FREE if owned(marbles, marbles[0]) else 0.0
            for marble in marbles:
                worth[LETTERS.index(marble)] += 1 + bonus
    weights = [0.0 if seat in position.out else exp(marbles / _SPREAD) for seat, marbles in enumerate(worth)]
    return tuple(weight / sum(weights) for weight in weights)

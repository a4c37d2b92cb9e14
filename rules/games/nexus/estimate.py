"""How good a position of NEXUS is, for computer players."""

from __future__ import annotations

from math import exp

from rules.games.nexus.board import owned
from rules.games.nexus.position import LETTERS, Position

_SPREAD = 4.0
"""Of two players, one who has so many marbles more can expect about three wins in four."""
_FREE = 0.5
"""How much more a marble on the board is worth that can leave its ring."""


def estimate(position: Position) -> tuple[float, ...]:
    """The share of the win that each seat can expect, by the marbles on the board and in reserve."""
    worth = [float(reserve) for reserve in position.reserve]
    for _, marbles in position.rings:
        if marbles:
            bonus = _FREE if owned(marbles, marbles[0]) else 0.0
            for marble in marbles:
                worth[LETTERS.index(marble)] += 1 + bonus
    weights = [0.0 if seat in position.out else exp(marbles / _SPREAD) for seat, marbles in enumerate(worth)]
    return tuple(weight / sum(weights) for weight in weights)

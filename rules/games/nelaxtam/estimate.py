"""How good a position of Nelaxtam is, for computer players.

The weights are those with which a logistic regression over games of computer players foretold best who won.
"""

from __future__ import annotations

from math import exp, sqrt

from rules.games.nelaxtam.board import DEAD, island
from rules.games.nelaxtam.position import Position

_TILES, _TROOPS = 2.2, 0.4


def estimate(position: Position) -> tuple[float, float]:
    """The share of the win that each seat can expect.

    A lead in tiles decides the more the fewer are left, and one in troops the less.
    """
    if not position.turn:
        return 0.5, 0.5
    ground = island(position.size).tiles
    mine, theirs = ((position.tiles & tiles).bit_count() for tiles in ground)
    troops, enemies = (sum(square != DEAD for square in side) for side in position.troops)
    left = mine + theirs
    ahead = _TILES * (mine - theirs) / sqrt(left + 1) + _TROOPS * (troops - enemies) * left / position.size**2
    share = 1 / (1 + exp(-ahead))
    return share, 1 - share

"""The value of a position of Nelaxtam, for computer players.

The weights come from a logistic regression over games of computer players: they predicted the winner best.
"""

from __future__ import annotations

from math import exp, sqrt

from rules.games.nelaxtam.board import DEAD, island
from rules.games.nelaxtam.position import Position

_TILES, _TROOPS = 2.2, 0.4


def estimate(position: Position) -> tuple[float, float]:
    """Return each seat's chance to win.

    The fewer tiles are left, the more a lead in tiles counts, and the less a lead in troops.
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

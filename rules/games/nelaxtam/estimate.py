"""The value of a position of Nelaxtam, for computer players.

The weights of tiles and troops come from a logistic regression over games of computer players: they predicted
the winner best.
"""

from __future__ import annotations

from math import exp, sqrt

from rules.games.nelaxtam.board import DEAD, fronts, island, steps_to_front
from rules.games.nelaxtam.position import Position

_TILES, _TROOPS = 2.2, 0.4
_STEP = 0.5
"""The tiles that it costs to be a step away from the tiles from which a troop can destroy others. Matches
of 100 games did not show that half or twice as much is better.
"""


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
    lead = mine - theirs + _STEP * (_away(position, 1) - _away(position, 0))
    ahead = _TILES * lead / sqrt(left + 1) + _TROOPS * (troops - enemies) * left / position.size**2
    share = 1 / (1 + exp(-ahead))
    return share, 1 - share


def _away(position: Position, seat: int) -> int:
    """Return the steps that the troops of a seat need until each can destroy a tile.

    A dead troop counts as one that cannot get there, so that losing a troop is never better.
    """
    near = fronts(position.size, position.tiles, seat)
    squares = position.troops[seat]
    return sum([len(near) if square == DEAD else steps_to_front(square, near) for square in squares])

"""The value of a position of Nebuchadnezzar, for computer players.

The weights come from a logistic regression over games of computer players: they predicted the winner best.
"""

from __future__ import annotations

from math import exp

from rules.games.nebuchadnezzar.board import flips, inner, rectangle
from rules.games.nebuchadnezzar.position import Position

_INNER, _EDGE = 0.12, -0.04
"""The value of a disc by its place: discs on the edge are a disadvantage."""
_MINE, _THEIRS = 0.26, 0.24
"""The value of a disc that the player to move could flip, and of one that the opponent could flip."""
_WON = 10.0
"""The value of a flip that would leave the enemy without a disc."""


def estimate(position: Position) -> tuple[float, float]:
    """Return each seat's chance to win, from the places of discs and the possible flips."""
    own, enemy = position.sides()
    off_edge = inner(position.size)
    ahead = _INNER * ((own & off_edge).bit_count() - (enemy & off_edge).bit_count())
    ahead += _EDGE * ((own & ~off_edge).bit_count() - (enemy & ~off_edge).bit_count())
    for flip in flips(position.size, own, enemy):
        discs = rectangle(flip).bit_count()
        ahead += _MINE * discs + _WON * (discs == enemy.bit_count())
    for flip in flips(position.size, enemy, own):
        ahead -= _THEIRS * rectangle(flip).bit_count()
    share = 1 / (1 + exp(-ahead))
    return (share, 1 - share) if position.to_move == 0 else (1 - share, share)

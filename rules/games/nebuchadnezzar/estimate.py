"""How good a position of Nebuchadnezzar is, for computer players.

The weights are those with which a logistic regression over games of computer players foretold best who won.
"""

from __future__ import annotations

from math import exp

from rules.games.nebuchadnezzar.board import flips, inner, rectangle
from rules.games.nebuchadnezzar.position import Position

_DISC, _MINE, _THEIRS = 0.12, 0.22, 0.17
"""What is worth a disc off the edge of the board, and one in a rectangle that can be flipped by who is to move,
or that the other could flip."""
_WON = 10.0
"""A flip that would leave the enemy without a disc."""


def estimate(position: Position) -> tuple[float, float]:
    """The share of the win that each seat can expect, by discs off the edge and by what can be flipped."""
    own, enemy = position.sides()
    off_edge = inner(position.size)
    ahead = _DISC * ((own & off_edge).bit_count() - (enemy & off_edge).bit_count())
    for flip in flips(position.size, own, enemy):
        discs = rectangle(flip).bit_count()
        ahead += _MINE * discs + _WON * (discs == enemy.bit_count())
    for flip in flips(position.size, enemy, own):
        ahead -= _THEIRS * rectangle(flip).bit_count()
    share = 1 / (1 + exp(-ahead))
    return (share, 1 - share) if position.to_move == 0 else (1 - share, share)

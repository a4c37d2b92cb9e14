"""How good a position of Nebuchadnezzar is, for computer players.

The weights are those with which a logistic regression over games of computer players foretold best who won.
"""

from __future__ import annotations

from math import exp

from rules.games.nebuchadnezzar.board import flips, inner, rectangle
from rules.games.nebuchadnezzar.position import Position

_INNER, _EDGE = 0.12, -0.04
"""What a disc is worth, by where it lies: those on the edge are a burden."""
_MINE, _THEIRS = 0.26, 0.24
"""What a disc is worth that can be flipped by who is to move, and one that the other could flip."""
_WON = 10.0
"""A flip that would leave the enemy without a disc."""


def estimate(position: Position) -> tuple[float, float]:
    """The share of the win that each seat can expect, by where discs lie and by what can be flipped."""
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

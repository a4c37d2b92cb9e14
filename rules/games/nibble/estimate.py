"""The value of a position of Nibble, for computer players.

The weights come from a logistic regression over 670 games of computer players, on all three boards.
"""

from __future__ import annotations

from functools import cache
from math import comb, exp, sqrt

from rules.games.nibble.board import board_named
from rules.games.nibble.position import Position, majority

_MAJORITIES, _BLOCKS, _NEXT, _WHOLE = 2.8, 0.8, 1.2, 3.5
"""Weights: the majorities expected, the blocks taken, the blocks that can be taken next, and every block of a
colour.
"""
_DOUBT = 0.5
"""Added to the variance of the number of majorities: even a certain majority of the colours may not win."""


def estimate(position: Position) -> tuple[float, float]:
    """Return each seat's chance to win.

    Each block left is assumed to go to either seat with equal chance; for the seat to move, the best colour
    counts extra if its blocks can be taken now.
    """
    mover = position.to_move
    own, others = position.taken[mover], position.taken[1 - mover]
    free = board_named(position.board).corners(position.left())
    full = len(position.blocks)
    expected, variance, best, whole = -full / 2, _DOUBT, 0.0, 0.0
    for blocks, mine, theirs in zip(position.blocks, own, others, strict=True):
        left = full - mine - theirs
        chance = _majority_chance(full, mine, left)
        expected += chance
        variance += chance * (1 - chance)
        if next_ones := blocks & free:
            count = next_ones.bit_count()
            best = max(best, _majority_chance(full, mine + count, left - count) - chance)
        if not mine or not theirs:
            whole += ((not theirs) - (not mine)) / 2.0**left
    ahead = _MAJORITIES * expected / sqrt(variance) + _BLOCKS * (sum(own) - sum(others)) / full
    share = 1 / (1 + exp(-ahead - _NEXT * best - _WHOLE * whole))
    return (share, 1 - share) if mover == 0 else (1 - share, share)


@cache
def _majority_chance(full: int, own: int, left: int) -> float:
    """Return the chance of a majority in a colour with `own` blocks taken and `left` blocks still on
    the board.
    """
    missing = majority(full) - own
    return sum(comb(left, more) for more in range(max(missing, 0), left + 1)) / float(2**left)

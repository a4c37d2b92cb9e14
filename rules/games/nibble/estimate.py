"""The value of a position of Nibble, for computer players.

The weights come from a logistic regression over games of computer players: they predicted the winner best.
Other weights did no better in matches.
"""

from __future__ import annotations

from functools import cache
from math import comb, exp, log

from rules.games.nibble.board import board_named
from rules.games.nibble.position import Position, majority

_SHARE, _NEXT, _WHOLE = 1.4, 0.7, 4.0
"""Weights: the majority of the colours, the blocks that can be taken next, and every block of a colour."""
_SURE = 1e-6
"""The closest that a share comes to 0 or 1."""


def estimate(position: Position) -> tuple[float, float]:
    """Return each seat's chance to win.

    Each block left is assumed to go to either seat with equal chance; for the seat to move, the best colour
    counts extra if its blocks can be taken now.
    """
    mover = position.to_move
    own, others = position.taken[mover], position.taken[1 - mover]
    free = board_named(position.board).corners(position.left())
    full = len(position.blocks)
    chances, best, whole = [], 0.0, 0.0
    for blocks, mine, theirs in zip(position.blocks, own, others, strict=True):
        left, next_ones = blocks.bit_count(), (blocks & free).bit_count()
        chances.append(_majority_chance(full, mine, left))
        if next_ones:
            rest = left - next_ones
            gained, missed = (_majority_chance(full, count, rest) for count in (mine + next_ones, mine))
            best = max(best, gained - missed)
        whole += ((not theirs) - (not mine)) / 2.0**left
    share = min(max(_most(chances), _SURE), 1 - _SURE)
    ahead = _SHARE * log(share / (1 - share)) + _NEXT * best + _WHOLE * whole
    share = 1 / (1 + exp(-ahead))
    return (share, 1 - share) if mover == 0 else (1 - share, share)


def _most(chances: list[float]) -> float:
    """Return the chance of having most of the colours, given the chance of having each."""
    by_number = [1.0]
    """The chances by the number of colours held, among the undecided colours counted so far."""
    for chance in chances:
        if 0.0 < chance < 1.0:
            by_number = [
                lost * (1 - chance) + won * chance
                for lost, won in zip([*by_number, 0.0], [0.0, *by_number], strict=True)
            ]
    missing = majority(len(chances)) - chances.count(1.0)
    return sum(by_number[max(missing, 0) :])


@cache
def _majority_chance(full: int, own: int, left: int) -> float:
    """Return the chance of a majority in a colour with `own` blocks taken and `left` blocks still on
    the board.
    """
    missing = majority(full) - own
    return sum(comb(left, more) for more in range(max(missing, 0), left + 1)) / float(2**left)

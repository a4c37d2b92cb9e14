"""How good a position of Nibble is, for computer players.

The weights are those with which a logistic regression over games of computer players foretold best who won;
others, tried in matches, did no better.
"""

from __future__ import annotations

from functools import cache
from math import comb, exp, log

from rules.games.nibble.board import board_named
from rules.games.nibble.position import Position, majority

_SHARE, _NEXT, _WHOLE = 1.4, 0.7, 4.0
"""What weighs how much: most of the colours, what can be taken next, and having every block of a colour."""
_SURE = 1e-6
"""No share is taken to be nearer to nothing or to everything."""


def estimate(position: Position) -> tuple[float, float]:
    """The share of the win that each seat can expect.

    As if each block left went to either with equal chance; then for who moves it counts how much the best
    colour is worth of which blocks lie free now.
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
    """The chance to have most of the colours, with these chances to have each."""
    by_number = [1.0]
    """By the number of colours held, among those looked at so far."""
    for chance in chances:
        by_number = [
            lost * (1 - chance) + won * chance
            for lost, won in zip([*by_number, 0.0], [0.0, *by_number], strict=True)
        ]
    return sum(by_number[majority(len(chances)) :])


@cache
def _majority_chance(full: int, own: int, left: int) -> float:
    """The chance to get the majority of a colour with `own` of its blocks taken and so many left."""
    missing = majority(full) - own
    return sum(comb(left, more) for more in range(max(missing, 0), left + 1)) / float(2**left)

"""The end of Nardshir, when discs go off from points 19 to 24: perfect play, and an estimate of its length.

Discs there cannot hit or block one another, so only speed counts. A `Home` is a side written as the numbers of
its discs on those points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement

from rules.games.nardshir.board import (
    BEFORE_FINAL_QUADRANT,
    DISCS,
    FACES,
    HAND,
    OFF,
    Side,
    Turn,
    after_hop,
    outcomes,
)
from rules.games.nardshir.position import Position

MOST_DISCS = 6
"""The most discs of both sides together; with more, the calculation takes too long."""
_FIRST = BEFORE_FINAL_QUADRANT.stop
_GONE = (0,) * (OFF - _FIRST)
_NOBODY = (0,) * (OFF + 1)
_PIPS_OF_A_DIE = 3.5
_BITS = 4
"""The bits of the number of discs on a point, in a home packed into one number."""
_ON_POINT = (1 << _BITS) - 1

Home = tuple[int, ...]


def exact_chances(position: Position) -> tuple[float, float] | None:
    """Return each seat's chance to win with perfect play; None if it cannot be computed."""
    mine, theirs = position.sides(position.to_move)
    if not (_is_home(mine) and _is_home(theirs)):
        return None
    left, left_by_enemy = mine[_FIRST:OFF], theirs[_FIRST:OFF]
    if sum(left) + sum(left_by_enemy) > MOST_DISCS:
        return None
    if position.dice:
        turns = outcomes(mine, theirs, position.dice)
        share = max(_after(_home_after(mine, turn), left_by_enemy) for turn in turns)
    else:
        share = chance(left, left_by_enemy)
    return (share, 1 - share) if position.to_move == 0 else (1 - share, share)


def chance(mine: Home, theirs: Home) -> float:
    """Return the chance to win of the side that rolls next, if both sides play perfectly."""
    hindered, best = _rolling(mine, theirs)
    hindered_too, best_of_theirs = _rolling(theirs, mine)
    # A side that cannot move passes the turn to the other, which may not be able to move either, and so on.
    return (best + hindered * (1 - best_of_theirs - hindered_too)) / (1 - hindered * hindered_too)


def _is_home(side: Side) -> bool:
    return side[HAND] == 0 and not any(side[BEFORE_FINAL_QUADRANT])


def _after(mine: Home, theirs: Home) -> float:
    """Return the chance to win of the side that has just moved."""
    return 1.0 if mine == _GONE else 1 - chance(theirs, mine)


@lru_cache(maxsize=200_000)
def _rolling(mine: Home, theirs: Home) -> tuple[float, float]:
    """Return the chance that no disc can be moved, and the chance that one can be moved and the game is won."""
    hindered, won = 0.0, 0.0
    for share, homes in _throws(mine):
        if not homes:
            hindered += share
        else:
            won += share * max(_after(home, theirs) for home in homes)
    return hindered, won


@lru_cache(maxsize=10_000)
def _throws(home: Home) -> Sequence[tuple[float, Sequence[Home]]]:
    """Return the probability and the possible results of each throw; no results if no disc can be moved."""
    side = (*(0,) * _FIRST, *home, DISCS - sum(home))
    return tuple((share, _left(side, dice)) for share, dice in _dice())


def _left(side: Side, dice: Sequence[int]) -> tuple[Home, ...]:
    turns = outcomes(side, _NOBODY, dice)
    return tuple(dict.fromkeys(_home_after(side, turn) for turn in turns if turn))


def _home_after(side: Side, turn: Turn) -> Home:
    for hop in turn:
        side, _ = after_hop(side, _NOBODY, hop)
    return tuple(side[_FIRST:OFF])


def _dice() -> Iterator[tuple[float, Sequence[int]]]:
    """Yield the throws, each with its probability and the dice to play."""
    for one, two in combinations_with_replacement(FACES, 2):
        yield (1 / 36, (one,) * 4) if one == two else (2 / 36, (one, two))


def pips_needed(side: Side) -> float:
    """Return about how many pips a side rolls until all its discs are off, with those that it cannot use.

    It counts as if they gathered on point 19 before one of them goes on, and nothing were in their way.
    """
    pips = sum([(_FIRST - place) * discs for place, discs in enumerate(side[:_FIRST])])
    home = sum([discs << _BITS * point for point, discs in enumerate(side[_FIRST:OFF])])
    return pips + _PIPS_OF_A_DIE * _dice_at_home(home + sum(side[:_FIRST]))


# At most 54,264 ways to distribute 15 discs; all of them take 0.2 seconds.
@cache
def _dice_at_home(home: int) -> float:
    """Return about how many dice a side needs that has all its discs on points 19 to 24; it always bears off a
    disc if it can.
    """
    if not home:
        return 0.0
    starts = [point for point in range(len(_GONE)) if home >> _BITS * point & _ON_POINT]
    needed, useless = float(len(FACES)), 0
    for die in FACES:
        last = len(_GONE) - die
        if last in starts:
            needed += _dice_at_home(home - (1 << _BITS * last))
        elif moved := [home - (1 << _BITS * at) + (1 << _BITS * (at + die)) for at in starts if at < last]:
            needed += min(map(_dice_at_home, moved))
        else:
            useless += 1
    return needed / (len(FACES) - useless)

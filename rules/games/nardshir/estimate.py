"""The value of a position of Nardshir, for computer players: a linear model, trained by self-play.

`nabu bench train nardshir` computes the weights, see `weights`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import exp, sqrt
from operator import mul

from rules.games.nardshir.bearing_off import pips_needed
from rules.games.nardshir.board import DISCS, FACES, HAND, LAST_POINT, OFF, Side
from rules.games.nardshir.position import Position
from rules.games.nardshir.weights import WEIGHTS

_QUADRANT = 6
_SINGLE, _MADE = -1, LAST_POINT - 1
"""The first features, by point: a single disc there, and a point made (two or more discs)."""
_EXTRA = 2 * LAST_POINT - 1
"""Three features: the discs beyond the second on a point, in the second, third and last quadrant."""
_HAND, DISCS_OFF, _PIPS = range(_EXTRA + 4, _EXTRA + 7)
_EXPOSED_NOW, _EXPOSED_LATER = _PIPS + 1, _PIPS + 2
"""The points that hits are expected to cost, if the enemy rolls next, and if it rolls after that."""
_BARRED = _EXPOSED_LATER + 1
"""Seven features: the discs of the enemy that have no, one, … six of the next six points barred."""
_LEAD, _TURN = _BARRED + 7, _BARRED + 8
FEATURES = _TURN + 1
START = {_PIPS: -25 / 28, _EXPOSED_NOW: -0.6, _EXPOSED_LATER: -0.2, _TURN: 8 / 28}
"""The weights from which the training starts: pips, hits and the turn."""
_STEPS = 12
"""The longest way to a disc that may be hit, apart from some doubles."""
_RACE = 0.48
"""The weight of a lead in pips once no disc can be hit: it fits the results of about 100 simulated races."""
_HALF_TURN = 49 / 12
"""Half of the pips of a turn, on average."""


def estimate(position: Position) -> tuple[float, float]:
    """Return each seat's chance to win."""
    chances = chances_of_race(position)
    if chances is None:
        (features, _) = features_of(position)
        chances = _chances(sum(map(mul, WEIGHTS, features)))
    return chances


def chances_of_race(position: Position) -> tuple[float, float] | None:
    """Return each seat's chance to win once no disc can be hit, None before."""
    return _chances(_RACE * _lead(position)) if is_race(position) else None


def _chances(ahead: float) -> tuple[float, float]:
    share = 1 / (1 + exp(-ahead))
    return share, 1 - share


def is_race(position: Position) -> bool:
    """Return whether all discs of both sides have passed one another, so that none can be hit."""
    first, second = (next(place for place, discs in enumerate(side) if discs) for side in position.discs)
    return first + second >= OFF


def _lead(position: Position) -> float:
    """Return the lead of the first seat, relative to the uncertainty of the rolls until the end."""
    needed, by_enemy = map(pips_needed, position.discs)
    turn = _HALF_TURN if position.to_move == 0 else -_HALF_TURN
    return (by_enemy - needed + turn) / sqrt(by_enemy + needed)


def features_of(position: Position) -> tuple[Sequence[float], Sequence[float]]:
    """Return the features of each seat: the first seat's less the second's, and for the second only zeros."""
    found = [0.0] * FEATURES
    first, second = position.discs
    first_to_move = position.to_move == 0
    _add(found, first, second, 1.0, _EXPOSED_LATER if first_to_move else _EXPOSED_NOW)
    _add(found, second, first, -1.0, _EXPOSED_NOW if first_to_move else _EXPOSED_LATER)
    found[_LEAD] = _lead(position)
    found[_TURN] = 1.0 if first_to_move else -1.0
    return found, [0.0] * FEATURES


def _add(found: list[float], mine: Side, theirs: Side, sign: float, exposed: int) -> None:
    """Add the features of one side; `exposed` is the feature for what hits cost."""
    enemies = [place for place in range(OFF) if theirs[place]]
    behind = sum([1 << LAST_POINT - place for place in enemies])
    walls, cost, pips = 0, 0.0, OFF * mine[HAND]
    for point in range(1, OFF):
        discs = mine[point]
        if not discs:
            continue
        pips += (OFF - point) * discs
        if discs == 1:
            found[_SINGLE + point] += sign
            cost += point * _chance_to_hit(behind >> point & (1 << _STEPS) - 1)
        else:
            found[_MADE + point] += sign
            walls |= 1 << OFF - point
            if discs > 2:
                found[_EXTRA + (point - 1) // _QUADRANT] += sign * (discs - 2)
    found[_HAND] += sign * mine[HAND] / DISCS
    found[DISCS_OFF] += sign * mine[OFF] / DISCS
    found[_PIPS] += sign * pips / OFF
    found[exposed] += sign * cost / OFF
    for place in enemies:
        found[_BARRED + (walls >> place + 1 & 63).bit_count()] += sign


@cache
def _chance_to_hit(behind: int) -> float:
    """Return the chance of a throw that hits a disc, if nothing blocks the way.

    Bit n of `behind` is set if an enemy disc is n + 1 steps behind it.
    """
    return sum(bool(behind & steps) for steps in _steps_by_throw()) / len(FACES) ** 2


@cache
def _steps_by_throw() -> Sequence[int]:
    """Return the ways that one disc can go with each throw, as sets: bit n for n + 1 steps."""
    reached = [
        {one * times for times in range(1, 5)} if one == two else {one, two, one + two}
        for one, two in product(FACES, repeat=2)
    ]
    return [sum(1 << steps - 1 for steps in each if steps <= _STEPS) for each in reached]

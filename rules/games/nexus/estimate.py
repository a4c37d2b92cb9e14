"""The value of a position of NEXUS, for computer players: a linear model, trained by self-play.

`nabu bench train nexus` computes the weights, see `weights`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp
from operator import mul

from rules.games.nexus.board import own
from rules.games.nexus.position import LETTERS, Position
from rules.games.nexus.weights import WEIGHTS
from rules.geometry.bits import numbers_in
from rules.geometry.hexes import beside, reached

(
    _MARBLES,
    _RESERVE,
    _ADDITIONS,
    _FREE,
    _BLOCKED,
    _BLOCKED_TO_MOVE,
    _ALONE,
    _SHARE,
    _STUCK,
    _AIR,
    _TURN,
    _ATTACKED_NOW,
    _ATTACKED_LATER,
) = range(13)
_CLOSED_NOW, _CLOSED_LATER = 13, 17
"""Four features each: the marbles that a seat loses when groups with no, one, two, three empty neighbours are
surrounded, if the other seat moves next, and if it moves after that.
"""
FEATURES = 21
START = {
    _MARBLES: 0.25,
    _RESERVE: 0.25,
    _FREE: 0.12,
    _STUCK: -2.0,
    _ATTACKED_NOW: -0.2,
    _CLOSED_NOW: -0.05,
    _CLOSED_NOW + 1: -0.2,
    _CLOSED_NOW + 2: -0.15,
    _CLOSED_NOW + 3: -0.1,
}
"""The weights from which the training starts: marbles, and the dangers of the next turn."""
_MOST_OPEN = 3
_SHARED = 10.0
_SPREAD = 2.0
"""The lead in marbles that gives about three wins in four between two players, in the training."""


def estimate(position: Position) -> tuple[float, ...]:
    """Return each seat's chance to win."""
    return _shares(position, [sum(map(mul, WEIGHTS, found)) for found in features_of(position)])


def by_marbles(position: Position) -> tuple[float, ...]:
    """Return each seat's share of all marbles on the board and in reserve, as an estimate for training."""
    board = "".join([marbles for _, marbles in position.rings])
    marbles = [board.count(letter) + kept for letter, kept in zip(LETTERS, position.reserve, strict=False)]
    return _shares(position, [number / _SPREAD for number in marbles])


def _shares(position: Position, scores: Sequence[float]) -> tuple[float, ...]:
    most, out = max([scores[seat] for seat in position.staying]), position.out
    shares = [0.0 if seat in out else exp(score - most) for seat, score in enumerate(scores)]
    total = sum(shares)
    return tuple([share / total for share in shares])


def features_of(position: Position) -> Sequence[Sequence[float]]:
    """Return the features of each seat."""
    sides = _sides(position)
    empty = sum([1 << ring for ring, marbles in position.rings if not marbles])
    total = sum([side.marbles for side in sides]) + sum(position.reserve)
    staying = position.staying
    for seat in staying:
        _count(sides[seat], position.reserve[seat], total, empty, to_move=seat == position.to_move)
    for attacker in staying:
        for seat in staying:
            if seat != attacker:
                walls, others = sides[attacker], sides[seat]
                foreign = _foreign(sides, attacker)
                _threaten(others, walls, foreign, empty, to_move=attacker == position.to_move)
    return [side.found for side in sides]


class _Side:
    """The marbles of a seat by ring, and sets of rings: those it is `on`, alone (`sole`), alone with one
    (`single`); and its features.
    """

    __slots__ = ("found", "marbles", "number", "on", "single", "sole")

    def __init__(self) -> None:
        self.on = self.sole = self.single = self.marbles = 0
        self.number: dict[int, int] = {}
        self.found = [0.0] * FEATURES


def _sides(position: Position) -> list[_Side]:
    sides = [_Side() for _ in position.reserve]
    by_letter = dict(zip(LETTERS, sides, strict=False))
    for ring, marbles in position.rings:
        if not marbles:
            continue
        side, bit = by_letter[marbles[0]], 1 << ring
        if marbles in own(marbles[0]):
            side.on |= bit
            side.sole |= bit
            if len(marbles) == 1:
                side.single |= bit
            side.number[ring] = len(marbles)
            side.marbles += len(marbles)
            continue
        for letter in set(marbles):
            side = by_letter[letter]
            side.on |= bit
            side.number[ring] = marbles.count(letter)
            side.marbles += side.number[ring]
    return sides


def _count(side: _Side, reserve: int, total: int, empty: int, *, to_move: bool) -> None:
    """Add the features of a seat that do not depend on single enemies."""
    found, blocked = side.found, side.on & ~side.sole
    kept = sum([side.number[ring] for ring in numbers_in(blocked)]) if blocked else 0
    free = side.marbles - kept
    found[_MARBLES], found[_RESERVE], found[_ADDITIONS] = side.marbles, reserve, reserve // 3
    found[_FREE], found[_ALONE] = free, side.single.bit_count()
    found[_BLOCKED_TO_MOVE if to_move else _BLOCKED] = blocked.bit_count()
    found[_SHARE] = _SHARED * (side.marbles + reserve) / max(total, 1)
    found[_STUCK] = free < 2 and reserve < 3
    found[_AIR] = (beside(side.on) & empty).bit_count()
    found[_TURN] = to_move


def _threaten(side: _Side, attacker: _Side, foreign: int, empty: int, *, to_move: bool) -> None:
    """Add the features of what a seat may lose to another one, which is the next to move or not.

    `foreign` are the rings with marbles, but none of the attacker's.
    """
    near, found = attacker.sole, side.found
    strong = near & ~attacker.single
    for ring in numbers_in(side.single & beside(near)):
        guns = _beside(ring) & near
        if guns & strong or guns & guns - 1:
            found[_ATTACKED_NOW if to_move else _ATTACKED_LATER] += 1
    first = _CLOSED_NOW if to_move else _CLOSED_LATER
    while foreign:
        group = reached(foreign & -foreign, foreign)
        foreign ^= group
        around = beside(group)
        is_open = (around & empty).bit_count()
        if is_open <= _MOST_OPEN and around & attacker.on:
            held = sum([side.number[ring] for ring in numbers_in(group & side.on)])
            found[first + is_open] += held // 2


def _foreign(sides: Sequence[_Side], attacker: int) -> int:
    rings = 0
    for side in sides:
        rings |= side.on
    return rings & ~sides[attacker].on


@cache
def _beside(ring: int) -> int:
    return beside(1 << ring)

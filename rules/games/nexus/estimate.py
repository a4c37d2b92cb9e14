"""The value of a position of NEXUS, for computer players: a linear model, trained by self-play.

`nabu bench train nexus` computes the weights, see `weights`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp
from operator import mul

from rules.games.nexus.actions import ADDED, STANDSTILL
from rules.games.nexus.board import MOST_OF_A_COLOUR, MOST_ON_A_RING, own
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
    _FEW,
    _SOME,
    _SHARE_ON_BOARD,
) = range(14)
ATTACKED_NOW, ATTACKED_LATER = 14, 19
"""Five features each, if another seat moves next, and if it moves after that: the single marbles that it may
delete by two steps, or by two with a sacrifice; those on a ring of both that it may delete by one step, or by
one with a sacrifice; and 1 if there are any that it may delete without a sacrifice.
"""
_CLOSED_NOW, _CLOSED_LATER = 24, 28
"""Four features each: the marbles that a seat loses when groups with no, one, two, three empty neighbours are
surrounded, if the other seat moves next, and if it moves after that.
"""
FEATURES = 32
START = {
    _MARBLES: 0.25,
    _RESERVE: 0.25,
    _FREE: 0.12,
    _STUCK: -2.0,
    ATTACKED_NOW: -0.2,
    _CLOSED_NOW: -0.05,
    _CLOSED_NOW + 1: -0.2,
    _CLOSED_NOW + 2: -0.15,
    _CLOSED_NOW + 3: -0.1,
}
"""The weights from which the training starts: marbles, and the dangers of the next turn."""
_MOST_FEW, _MOST_SOME = 3, 6
"""The most free marbles that count as few, and as some."""
_MOST_OPEN = 3
_SHARED = 10.0
_AGAIN = 0.5
"""The factor of the distance from an equal share in a position that has come up before."""


def estimate(position: Position) -> tuple[float, ...]:
    """Return each seat's chance to win.

    The closer the game is to a draw by standstill or repetition, the closer the chances are to equal shares of
    the players still in, so that a player with better chances makes progress.
    """
    shares = _shares(position, [sum(map(mul, WEIGHTS, found)) for found in features_of(position)])
    staying, seen = position.staying, position.seen
    hope = max(0.0, 1 - position.quiet / (STANDSTILL * len(staying)))
    if seen and seen.count(seen[-1]) > 1:
        hope *= _AGAIN
    if hope == 1:
        return shares
    even = (1 - hope) / len(staying)
    return tuple([hope * share + even if seat in staying else 0.0 for seat, share in enumerate(shares)])


def _shares(position: Position, scores: Sequence[float]) -> tuple[float, ...]:
    most, out = max([scores[seat] for seat in position.staying]), position.out
    shares = [0.0 if seat in out else exp(score - most) for seat, score in enumerate(scores)]
    total = sum(shares)
    return tuple([share / total for share in shares])


def features_of(position: Position) -> Sequence[Sequence[float]]:
    """Return the features of each seat."""
    sides, reserve = _sides(position), position.reserve
    empty = sum([1 << ring for ring, marbles in position.rings if not marbles])
    full = sum([1 << ring for ring, marbles in position.rings if len(marbles) == MOST_ON_A_RING])
    on_board = sum([side.marbles for side in sides])
    staying = position.staying
    for seat in staying:
        side = sides[seat]
        _count(side, reserve[seat], empty, to_move=seat == position.to_move)
        side.found[_SHARE] = _SHARED * (side.marbles + reserve[seat]) / max(on_board + sum(reserve), 1)
        side.found[_SHARE_ON_BOARD] = _SHARED * side.marbles / max(on_board, 1)
    for attacker in staying:
        foreign, is_next = _foreign(sides, attacker), attacker == position.to_move
        for seat in staying:
            if seat != attacker:
                _attack(sides[seat], sides[attacker], full, ATTACKED_NOW if is_next else ATTACKED_LATER)
                _close(sides[seat], sides[attacker], foreign, empty, _CLOSED_NOW if is_next else _CLOSED_LATER)
    return [side.found for side in sides]


class _Side:
    """The marbles of a seat by ring, and sets of rings: those it is `on`, alone (`sole`), alone with one
    (`single`); and its features.
    """

    __slots__ = ("found", "free", "marbles", "number", "on", "single", "sole")

    def __init__(self) -> None:
        self.on = self.sole = self.single = self.marbles = self.free = 0
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


def _count(side: _Side, reserve: int, empty: int, *, to_move: bool) -> None:
    """Add the features of a seat that do not depend on its enemies."""
    found, blocked = side.found, side.on & ~side.sole
    kept = sum([side.number[ring] for ring in numbers_in(blocked)]) if blocked else 0
    side.free = free = side.marbles - kept
    found[_MARBLES], found[_RESERVE], found[_ADDITIONS] = side.marbles, reserve, reserve // 3
    found[_FREE], found[_FEW], found[_SOME] = free, min(free, _MOST_FEW), min(free, _MOST_SOME)
    found[_ALONE] = side.single.bit_count()
    found[_BLOCKED_TO_MOVE if to_move else _BLOCKED] = blocked.bit_count()
    found[_STUCK] = not free and reserve < ADDED
    found[_AIR] = (beside(side.on) & empty).bit_count()
    found[_TURN] = to_move


def _attack(side: _Side, attacker: _Side, full: int, first: int) -> None:
    """Add the features, from `first` on, of the single marbles that another seat may delete by entering.

    No marble can enter the rings in `full`.
    """
    found, near = side.found, beside(attacker.sole)
    for ring in numbers_in(side.single & near):
        if _can_enter_twice(attacker, ring):
            found[first] += 1
            found[first + 4] = 1
        elif attacker.free > 2:
            found[first + 1] += 1
    for ring in numbers_in(side.on & attacker.on & ~full):
        if side.number[ring] == 1 and attacker.number[ring] < MOST_OF_A_COLOUR:
            if near >> ring & 1:
                found[first + 2] += 1
                found[first + 4] = 1
            elif attacker.free > 1:
                found[first + 3] += 1


def _can_enter_twice(attacker: _Side, ring: int) -> bool:
    """Return whether two marbles may enter a ring that is next to one: from there, or from behind it."""
    near_rings = _beside(ring) & attacker.sole
    if near_rings & ~attacker.single or near_rings & near_rings - 1:
        return True
    return bool(attacker.sole >> 2 * (near_rings.bit_length() - 1) - ring & 1)


def _close(side: _Side, attacker: _Side, foreign: int, empty: int, first: int) -> None:
    """Add the features, from `first` on, of the marbles that a seat may lose when groups are surrounded.

    `foreign` are the rings with marbles, but none of the attacker's.
    """
    while foreign:
        group = reached(foreign & -foreign, foreign)
        foreign ^= group
        around = beside(group)
        is_open = (around & empty).bit_count()
        if is_open <= _MOST_OPEN and around & attacker.on:
            held = sum([side.number[ring] for ring in numbers_in(group & side.on)])
            side.found[first + is_open] += held // 2


def _foreign(sides: Sequence[_Side], attacker: int) -> int:
    rings = 0
    for side in sides:
        rings |= side.on
    return rings & ~sides[attacker].on


@cache
def _beside(ring: int) -> int:
    return beside(1 << ring)

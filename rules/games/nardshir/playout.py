"""Fast random games of Nardshir, identical to those that `rules.playout` plays turn by turn.

The discs of a side are counted in a list, by place. Sets of places are ints, bit p for place p, so one shift
finds the targets of a die for all discs at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.games.nardshir.board import (
    BEFORE_FINAL_QUADRANT,
    DISCS,
    HAND,
    LAST_POINT,
    MOST_IN_HAND,
    OFF,
    STANDSTILL,
    START_QUADRANT_END,
)
from rules.games.nardshir.position import Position
from rules.geometry.bits import nth
from rules.result import Result

_POINTS = (1 << OFF) - 2
_START = (1 << START_QUADRANT_END + 1) - 2
_BACK = sum(1 << point for point in range(OFF)[BEFORE_FINAL_QUADRANT])
_LAST = 1 << LAST_POINT
_OFF = 1 << OFF


class _Side:
    """The discs of one side: `places` hold one or more, `pairs` hold two or more.

    `walls` are the points with two or more, numbered as the enemy counts them.
    """

    __slots__ = ("discs", "pairs", "places", "walls")

    def __init__(self, discs: Sequence[int]) -> None:
        self.discs = list(discs)
        self.places = sum(1 << place for place in range(OFF) if discs[place])
        self.pairs = sum(1 << place for place in range(OFF) if discs[place] > 1)
        self.walls = sum(1 << OFF - point for point in range(1, OFF) if discs[point] > 1)

    def open_to(self, walls: int) -> int:
        """Return the places where a disc may go, given these walls of the enemy."""
        found = _POINTS & ~(walls | self.pairs & _START)
        if self.discs[HAND] > MOST_IN_HAND:
            found &= ~_LAST
        return found if self.places & _BACK else found | _OFF

    def hop(self, start: int, end: int, enemy: _Side) -> None:
        """Play a disc from place to place, and hit the enemy disc there, if any."""
        discs = self.discs
        left = discs[start] = discs[start] - 1
        if not left:
            self.places ^= 1 << start
        elif left == 1:
            self.pairs ^= 1 << start
            self.walls &= ~(1 << OFF - start)
        there = discs[end] = discs[end] + 1
        if end == OFF:
            return
        if there == 1:
            self.places |= 1 << end
        elif there == 2:
            self.pairs |= 1 << end
            self.walls |= 1 << OFF - end
        if enemy.places >> OFF - end & 1:
            enemy.sent_back(OFF - end)

    def sent_back(self, point: int) -> None:
        """Move the only disc on a point to the hand."""
        self.discs[point] = 0
        self.places = self.places & ~(1 << point) | 1
        self.discs[HAND] += 1
        self.pairs |= self.discs[HAND] > 1


def playout(position: Position, below: Callable[[int], int], most: int) -> tuple[Result | None, int]:
    """Play a random game from this position; return its result, None after `most` turns, and its length."""
    seat, quiet = position.to_move, position.quiet_turns
    mine, enemy = map(_Side, position.sides(seat))
    turn = 0
    if position.dice and most:
        turn, gone = 1, mine.discs[OFF]
        _play(mine, enemy, mine.open_to(enemy.walls), position.dice, below)
        quiet = 0 if mine.discs[OFF] > gone else quiet + 1
        mine, enemy, seat = enemy, mine, 1 - seat
    while True:
        if enemy.discs[OFF] == DISCS:
            return Result((1 - seat,), "borne-off"), turn
        free = mine.open_to(enemy.walls)
        if not _reached(mine.places) & free and not _reached(enemy.places) & enemy.open_to(mine.walls):
            return Result((0, 1), "blocked"), turn
        if quiet >= STANDSTILL:
            return Result((0, 1), "standstill"), turn
        if turn == most:
            return None, turn
        gone = mine.discs[OFF]
        _play(mine, enemy, free, (1 + below(6), 1 + below(6)), below)
        quiet = 0 if mine.discs[OFF] > gone else quiet + 1
        mine, enemy, seat, turn = enemy, mine, 1 - seat, turn + 1


def _reached(places: int) -> int:
    """Return the places that are one to six steps away."""
    steps = places << 1
    steps |= steps << 1
    steps |= steps << 2
    return steps | steps << 2


def _play(mine: _Side, enemy: _Side, free: int, dice: Sequence[int], below: Callable[[int], int]) -> None:
    """Play a turn with dice of which the first two determine the others, at first to places that are `free`."""
    first, second = dice[:2]
    if first == second:
        _play_one(mine, enemy, first, below, 4)
        return
    by_first, by_second = mine.places & free >> first, mine.places & free >> second
    ways = by_first.bit_count() + by_second.bit_count()
    if not ways:
        return
    start, with_second = _drawn(by_first, by_second, below(ways))
    die, other = (second, first) if with_second else (first, second)
    mine.hop(start, start + die, enemy)
    _play_one(mine, enemy, other, below, 1)


def _play_one(mine: _Side, enemy: _Side, die: int, below: Callable[[int], int], times: int) -> None:
    """Play hops with dice of one number, at most `times` of them, until none is possible."""
    for _ in range(times):
        starts = mine.places & mine.open_to(enemy.walls) >> die
        if not starts:
            return
        start = nth(starts, below(starts.bit_count()))
        mine.hop(start, start + die, enemy)


def _drawn(by_first: int, by_second: int, number: int) -> tuple[int, bool]:
    """Return hop `number`, by place and then by die: the place it leaves, and whether it uses the
    second die.
    """
    while True:
        place = (by_first | by_second) & -(by_first | by_second)
        if by_first & place:
            if not number:
                return place.bit_length() - 1, False
            number -= 1
        if by_second & place:
            if not number:
                return place.bit_length() - 1, True
            number -= 1
        by_first &= ~place
        by_second &= ~place

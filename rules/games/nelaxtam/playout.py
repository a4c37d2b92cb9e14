"""Fast random games of Nelaxtam, identical to those that `rules.playout` plays turn by turn.

A side is a list of the squares of its living troops, in order. An action of a troop is a number: the square
that it moves to or, below zero, the complement of the square that it destroys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from rules.games.nelaxtam.board import bits_of, connected, island, ways_to
from rules.games.nelaxtam.position import Position, living
from rules.games.nelaxtam.sample import END_OFFERS, random_orders
from rules.games.nelaxtam.turn import counted, ended, landed
from rules.result import Result

Side = Sequence[int]


def playout(position: Position, below: Callable[[int], int], most: int) -> tuple[Result | None, int]:
    """Play a random game from this position; return its result, None after `most` turns, and its length."""
    if not most:
        return None, 0
    size, turn, unpruned = position.size, 0, True
    if not position.turn:
        position = landed(position, {seat: random_orders(position, seat, below) for seat in (0, 1)})
        turn = 1
    tiles, idle = position.tiles, position.quiet_turns
    sides: list[Side] = [list(living(position, seat).values()) for seat in (0, 1)]
    while turn < most:
        before, destroyed, offers = tiles, 0, 0
        for seat, side in enumerate(sides):
            if below(END_OFFERS):
                sides[seat], strikes = _orders(size, tiles, side, below, quiet=position.quiet)
                destroyed |= strikes
            else:
                offers += 1
        turn += 1
        if destroyed or unpruned:
            tiles &= ~destroyed
            sides = [[square for square in side if tiles >> square & 1] for side in sides]
            tiles, unpruned = connected(size, tiles, bits_of([*sides[0], *sides[1]])), False
        idle = idle + 1 if tiles == before else 0
        if reason := ended(size, tiles, agreed=offers == 2, quiet_turns=idle):
            return counted(size, tiles, reason), turn
    return None, most


def _orders(size: int, tiles: int, side: Side, below: Callable[[int], int], *, quiet: bool) -> tuple[Side, int]:
    """Draw orders for a side; return the squares of its troops after them, and the set of squares they
    destroy.
    """
    around = island(size).around
    acting = range(len(side))
    if quiet and side:
        first = below(len(side))
        acting = range(first, first + 1)
    open_acts = [(troop, _acts(size, side[troop], tiles & around[side[troop]])) for troop in acting]
    while True:
        after, destroyed = list(side), 0
        for troop, acts in open_acts:
            number = below(len(acts) + 1)
            if number == len(acts):
                continue
            target = acts[number]
            if target < 0:
                destroyed |= 1 << ~target
            else:
                after[troop] = target
        if len(set(after)) == len(after):
            return after, destroyed


@cache
def _acts(size: int, square: int, tiles: int) -> tuple[int, ...]:
    """Return the actions of a troop on this square besides "hold", with these tiles beside it."""
    steps = island(size).board.steps[square]
    return tuple(steps[way] if len(way) == 2 else ~steps[way] for way in ways_to(size, square, tiles))

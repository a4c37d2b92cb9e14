"""Actions of NEXUS that may delete marbles, for computer players: random draws from thousands miss them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, islice
from math import ceil, isqrt
from typing import TypeVar

from rules.games.nexus.actions import ADDED, open_sorts
from rules.games.nexus.board import (
    Action,
    Add,
    Board,
    Step,
    Walk,
    can_leave_two,
    free,
    ordinary_steps,
    reachable,
    take_step,
    takes,
    undoes,
    with_one_more,
)
from rules.games.nexus.position import LETTERS, Position
from rules.games.nexus.sample import random_move
from rules.games.nexus.turn import Move
from rules.geometry.bits import numbers_in
from rules.geometry.hexes import beside, bits_of, reached

T = TypeVar("T")

_MOST_WALKS, _MOST_ADDITIONS, _MOST_SACRIFICES, _MOST_DELETING = 150, 60, 60, 60
_MOST_FILLS = 20
"""The most ways to complete an addition that needs fewer than three rings."""


def promising_move(position: Position, seat: int, below: Callable[[int], int]) -> Move:
    """Return a random move: half of the time a threat, if there is one."""
    found = threats(position, seat)
    if found and below(2):
        return Move(found[below(len(found))])
    sorts = open_sorts(position, seat)
    return random_move(position.board, LETTERS[seat], position.reserve[seat], sorts, below)


@lru_cache(maxsize=16)
def threats(position: Position, seat: int) -> Sequence[Action]:
    """Return additions that close the last empty neighbours of a group, moves whose steps both end on one of
    these or on a ring of others, moves that enter such a ring by a step and a sacrifice, and moves whose first
    step deletes.
    """
    board, colour, sorts = position.board, LETTERS[seat], open_sorts(position, seat)
    closing = list(_closing(board, colour))
    found: list[Action] = []
    if Add.name in sorts and position.reserve[seat] >= ADDED:
        found += islice(_additions(board, colour, closing), _MOST_ADDITIONS)
    if Walk.name in sorts:
        attacked = bits_of([ring for ring, marbles in board.items() if marbles.strip(colour)])
        ends = set(numbers_in(attacked)).union(*[rings for rings in closing if len(rings) < ADDED])
        found += islice(_walks(board, colour, ends), _MOST_WALKS)
        found += _sacrifices(board, colour, attacked)
        found += _deleting(board, colour)
    return found


def _closing(board: Board, colour: str) -> Iterator[tuple[int, ...]]:
    """Yield the empty neighbours of each group of others that has at most three of them."""
    empty = bits_of([ring for ring, marbles in board.items() if not marbles])
    foreign = bits_of([ring for ring, marbles in board.items() if marbles and colour not in marbles])
    while foreign:
        group = reached(foreign & -foreign, foreign)
        foreign ^= group
        rings = tuple(numbers_in(beside(group) & empty))
        if 0 < len(rings) <= ADDED and sum([len(board[ring]) for ring in numbers_in(group)]) > 1:
            yield rings


def _additions(board: Board, colour: str, closing: Sequence[tuple[int, ...]]) -> Iterator[Add]:
    open_rings = reachable(board, colour)
    for rings in closing:
        if set(rings) <= set(open_rings):
            others = [ring for ring in open_rings if ring not in rings]
            for fill in islice(combinations(others, ADDED - len(rings)), _MOST_FILLS):
                yield Add(tuple(sorted((*rings, *fill))))


def _walks(board: Board, colour: str, ends: set[int]) -> Iterator[Walk]:
    for first in ordinary_steps(board, colour):
        if first.end in ends:
            between, deleted = take_step(board, colour, first)
            for second in ordinary_steps(between, colour):
                if second.end in ends and not undoes(second, first, deleted):
                    yield Walk((first, second))


def _sacrifices(board: Board, colour: str, attacked: int) -> Iterator[Walk]:
    """Yield moves that enter a ring of others from beside it, and again from anywhere after a sacrifice."""
    by_end: dict[int, list[Walk]] = {}
    for first in ordinary_steps(board, colour):
        if attacked >> first.end & 1:
            between, deleted = take_step(board, colour, first)
            if not deleted and takes(between[first.end], colour):
                second = _with_sacrifice(between, colour, first.end)
                by_end.setdefault(first.end, []).extend([Walk((first, each)) for each in second])
    for walks in by_end.values():
        yield from _spread(walks, _MOST_SACRIFICES // len(by_end))


def _deleting(board: Board, colour: str) -> Iterator[Walk]:
    """Yield moves whose first step deletes, with a sacrifice if no marble is near, followed by another step."""
    ends = [
        ring for ring, marbles in board.items() if takes(marbles, colour) and with_one_more(marbles, colour)[1]
    ]
    if not ends:
        return
    ordinary = list(ordinary_steps(board, colour))
    most = isqrt(_MOST_DELETING // len(ends))
    for end in ends:
        near = [step for step in ordinary if step.end == end]
        for first in _spread(near or _with_sacrifice(board, colour, end), most):
            between, _ = take_step(board, colour, first)
            for second in _spread(list(ordinary_steps(between, colour)), most):
                yield Walk((first, second))


def _with_sacrifice(board: Board, colour: str, end: int) -> list[Step]:
    """Return steps with a sacrifice to a ring of others, for each two marbles that can leave their rings.

    The result is the same whichever of the two is given up.
    """
    return [
        Step(start, end, given)
        for given, start in combinations_with_replacement(free(board, colour), 2)
        if can_leave_two(board, given, start)
    ]


def _spread(found: Sequence[T], most: int) -> Sequence[T]:
    """Return at most so many of these, but at least one, at equal distances."""
    return found[:: ceil(len(found) / max(most, 1)) or 1]

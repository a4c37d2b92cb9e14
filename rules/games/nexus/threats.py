"""Actions of NEXUS that may delete marbles, for computer players: random draws from thousands miss them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, islice, permutations
from math import isqrt
from typing import NamedTuple, TypeVar

from rules.games.nexus.actions import ADDED, CHANGED, open_sorts
from rules.games.nexus.board import (
    Action,
    Add,
    Board,
    Change,
    Step,
    Walk,
    can_leave_two,
    free,
    ordinary_steps,
    reachable,
    spots_in,
    take_step,
    takes,
    undoes,
    with_one_more,
)
from rules.games.nexus.position import LETTERS, Position
from rules.games.nexus.sample import random_move
from rules.games.nexus.turn import Move
from rules.geometry.bits import nth, numbers_in
from rules.geometry.hexes import beside, bits_of, reached

T = TypeVar("T")

_MOST_WALKS, _MOST_ADDITIONS, _MOST_SACRIFICES, _MOST_DELETING = 150, 60, 60, 60
_MOST_BLOCKING, _MOST_CHANGES, _MOST_FILLS = 30, 30, 15


def promising_move(position: Position, seat: int, below: Callable[[int], int]) -> Move:
    """Return a random move: half of the time a threat, if there is one."""
    found = threats(position, seat)
    if found and below(2):
        return Move(found[below(len(found))])
    sorts = open_sorts(position, seat)
    return random_move(position.board, LETTERS[seat], position.reserve[seat], sorts, below)


@lru_cache(maxsize=16)
def threats(position: Position, seat: int) -> Sequence[Action]:
    """Return additions that close the last empty neighbours of a group, changes that take them away, moves that
    delete, moves whose steps both end on such a neighbour or on a ring of others, moves that enter such a ring
    by a step and a sacrifice, and moves that block the last marbles of a seat that cannot add.

    If there are too many, those that delete most marbles are returned.
    """
    board, colour, sorts = position.board, LETTERS[seat], open_sorts(position, seat)
    closing = list(_closing(board, colour))
    found: list[Action] = []
    if Add.name in sorts and position.reserve[seat] >= ADDED:
        found += most_promising(_additions(board, colour, closing), _MOST_ADDITIONS)
    if Change.name in sorts:
        found += most_promising(_changes(board, colour, closing), _MOST_CHANGES)
    if Walk.name in sorts:
        attacked = bits_of([ring for ring, marbles in board.items() if marbles.strip(colour)])
        found += most_promising(_walks(board, colour, attacked, closing), _MOST_WALKS)
        found += _sacrifices(board, colour, attacked)
        found += _far_deleting(board, colour)
        for other in position.staying:
            if other != seat and position.reserve[other] < ADDED:
                found += _spread(list(_blocking(board, colour, free(board, LETTERS[other]))), _MOST_BLOCKING)
    return found


def most_promising(found: Iterable[tuple[int, T]], most: int) -> Sequence[T]:
    """Return at most `most` actions: the most promising ones, and of the last equal ones an even selection."""
    by_promise: dict[int, list[T]] = {}
    for promise, action in found:
        by_promise.setdefault(promise, []).append(action)
    chosen: list[T] = []
    for _, equal in sorted(by_promise.items(), reverse=True):
        if len(chosen) < most:
            chosen += _spread(equal, most - len(chosen))
    return chosen


class _Closing(NamedTuple):
    """The last empty neighbours of a group of others, and the marbles that it loses when they are closed."""

    rings: frozenset[int]
    loses: int
    near: int
    """All places next to the group, as a set."""


def _closing(board: Board, colour: str) -> Iterator[_Closing]:
    """Yield the groups of others that have one to four empty neighbours, and something to lose."""
    empty = bits_of([ring for ring, marbles in board.items() if not marbles])
    foreign = bits_of([ring for ring, marbles in board.items() if marbles and colour not in marbles])
    while foreign:
        group = reached(foreign & -foreign, foreign)
        foreign ^= group
        near = beside(group)
        rings = frozenset(numbers_in(near & empty))
        if 0 < len(rings) <= CHANGED:
            counts = Counter("".join([board[ring] for ring in numbers_in(group)]))
            loses = sum([number // 2 for number in counts.values()])
            if loses:
                yield _Closing(rings, loses, near)


def _losses(closing: Sequence[_Closing], rings: Iterable[int]) -> int:
    """Return the number of marbles that groups lose if these rings are filled."""
    return sum([each.loses for each in closing if each.rings.issubset(rings)])


def _additions(board: Board, colour: str, closing: Sequence[_Closing]) -> Iterator[tuple[int, Add]]:
    """Yield additions that close a group, each with the marbles that all groups lose by it."""
    open_rings = reachable(board, colour)
    found: set[tuple[int, ...]] = set()
    for rings, _, _ in closing:
        if len(rings) <= ADDED and rings.issubset(open_rings):
            others = [ring for ring in open_rings if ring not in rings]
            for fill in combinations(others, ADDED - len(rings)):
                found.add(tuple(sorted((*rings, *fill))))
    for added in sorted(found):
        yield _losses(closing, added), Add(added)


def _changes(board: Board, colour: str, closing: Sequence[_Closing]) -> Iterator[tuple[int, Change]]:
    """Yield changes that take away the last empty neighbours of a group, each with the marbles that all groups
    lose by it; the rings are put down away from the group.
    """
    before, empty = bits_of(board), [ring for ring, marbles in board.items() if not marbles]
    mine = bits_of([ring for ring, marbles in board.items() if colour in marbles])
    for rings, _, near in closing:
        others = [ring for ring in empty if ring not in rings]
        fills = _spread(list(combinations(others, CHANGED - len(rings))), _MOST_FILLS)
        for number in range(_MOST_FILLS if fills and near & mine else 0):
            taken = tuple(sorted((*rings, *fills[number % len(fills)])))
            put = _spots_away(before, taken, near, number)
            if len(put) == CHANGED:
                yield _losses(closing, taken), Change(taken, put)


def _spots_away(before: int, taken: Iterable[int], near: int, number: int) -> tuple[int, ...]:
    """Return places for rings that are not in the set `near`, others for each number; fewer if there are not
    enough.
    """
    rings, put = before ^ bits_of(taken), list[int]()
    while len(put) < CHANGED and (found := spots_in(rings, before | near)):
        put.append(nth(found, number % found.bit_count()))
        rings |= 1 << put[-1]
    return tuple(put)


def _walks(board: Board, colour: str, attacked: int, closing: Sequence[_Closing]) -> Iterator[tuple[int, Walk]]:
    """Yield moves that delete marbles, or whose steps both end on a ring of others or on an empty neighbour to
    close; each with the number of marbles that it deletes, if leaving a ring opens no group.
    """
    ends = set(numbers_in(attacked)).union(*[each.rings for each in closing if len(each.rings) < ADDED])
    for first in ordinary_steps(board, colour):
        between, deleted = take_step(board, colour, first)
        for second in ordinary_steps(between, colour):
            promise = len(deleted) + len(with_one_more(between[second.end], colour)[1])
            if closing:
                kept = (second.end,) if second.start == first.end else (first.end, second.end)
                promise += _losses(closing, kept)
            if (promise or (first.end in ends and second.end in ends)) and not undoes(second, first, deleted):
                yield promise, Walk((first, second))


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


def _far_deleting(board: Board, colour: str) -> Iterator[Walk]:
    """Yield moves whose first step deletes by a sacrifice, as no marble is near, followed by another step."""
    ends = [
        ring for ring, marbles in board.items() if takes(marbles, colour) and with_one_more(marbles, colour)[1]
    ]
    far = set(ends) - {step.end for step in ordinary_steps(board, colour)} if ends else set()
    for end in sorted(far):
        most = isqrt(_MOST_DELETING // len(far))
        for first in _spread(_with_sacrifice(board, colour, end), most):
            between, _ = take_step(board, colour, first)
            for second in _spread(list(ordinary_steps(between, colour)), most):
                yield Walk((first, second))


def _blocking(board: Board, colour: str, rings: Sequence[int]) -> Iterator[Walk]:
    """Yield moves that enter each of these one or two rings; two of them by a step and a sacrifice."""
    if len(rings) == 1:
        for first in (*_steps_to(board, colour, *rings), *_with_sacrifice(board, colour, *rings)):
            between, _ = take_step(board, colour, first)
            yield from [Walk((first, second)) for second in islice(ordinary_steps(between, colour), 1)]
    if len(rings) == 2:
        for end, other in permutations(rings):
            for first in _steps_to(board, colour, end):
                between, _ = take_step(board, colour, first)
                yield from [Walk((first, second)) for second in _with_sacrifice(between, colour, other)]


def _steps_to(board: Board, colour: str, end: int) -> list[Step]:
    return [step for step in ordinary_steps(board, colour) if step.end == end]


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
    count = min(max(most, 1), len(found))
    return [found[number * len(found) // count] for number in range(count)]

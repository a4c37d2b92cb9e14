"""The rules of NEXUS about rings and marbles: reach, steps, blocking, changes of rings.

A board is a dict from the places that hold a ring (see `rules/geometry/hexes.py`) to the marbles on it, sorted
colour letters: "" on an empty ring, "brr" with one blue and two red marbles. Boards are never changed, but
copied. `colour` is always the letter of the player who acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import permutations
from typing import ClassVar, NamedTuple

from rules.geometry.bits import numbers_in
from rules.geometry.hexes import DIRECTIONS, beside, bits_of, margin, reached, table

Board = dict[int, str]

MOST_OF_A_COLOUR = 3
MOST_ON_A_RING = 4


class Step(NamedTuple):
    """A step of one marble from `start` to `end`; a sacrifice step first gives up another marble on `given`."""

    start: int
    end: int
    given: int | None = None


@dataclass(frozen=True)
class Add:
    """Three marbles from the reserve, on three rings, ascending."""

    rings: tuple[int, ...]
    name: ClassVar[str] = "add"


@dataclass(frozen=True)
class Walk:
    """Two steps of marbles, in the order played; players call it `move`."""

    steps: tuple[Step, ...]
    name: ClassVar[str] = "move"

    @property
    def sacrifice(self) -> bool:
        """True if a marble is given up."""
        return any(step.given is not None for step in self.steps)


@dataclass(frozen=True)
class Change:
    """Four rings taken away, then four put down, each in the order played; players call it `rings`."""

    taken: tuple[int, ...]
    put: tuple[int, ...]
    name: ClassVar[str] = "rings"


Action = Add | Walk | Change


# Marbles on a ring


@cache
def own(colour: str) -> frozenset[str]:
    """Return all contents of rings that marbles of `colour` can leave: only this colour, unblocked."""
    return frozenset(colour * count for count in range(1, MOST_OF_A_COLOUR + 1))


def owned(marbles: str | None, colour: str) -> bool:
    """Return whether a place has a ring with at least one marble of `colour` and no others.

    For example, red owns a ring with "rr", but none with "br", "" or None.
    """
    return marbles in own(colour)


def takes(marbles: str, colour: str) -> bool:
    """Return whether one more marble of `colour` fits on a ring with these marbles."""
    return len(marbles) < MOST_ON_A_RING and marbles.count(colour) < MOST_OF_A_COLOUR


def free(board: Board, colour: str) -> list[int]:
    """Return the rings that marbles of `colour` can leave, in the order of the board."""
    ours = own(colour)
    return [place for place, marbles in board.items() if marbles in ours]


# Additions


@lru_cache(maxsize=4096)
def border(rings: int) -> int:
    """Return the rings next to the outside, as a set; a hole enclosed by rings is not the outside."""
    return rings & beside(reached(margin(), (table() | margin()) & ~rings))


def reachable(board: Board, colour: str) -> list[int]:
    """Return the empty rings joined to the border by rings that are empty or own, ascending.

    Putting down a marble does not change that, so the order in which three are added does not matter.
    """
    ours = own(colour)
    empty = bits_of([ring for ring, marbles in board.items() if not marbles])
    open_rings = empty | bits_of([ring for ring, marbles in board.items() if marbles in ours])
    return list(numbers_in(empty & reached(border(bits_of(board)) & open_rings, open_rings)))


def after_add(board: Board, colour: str, rings: Iterable[int]) -> Board:
    """Return the board with an own marble on each of these empty rings."""
    return board | dict.fromkeys(rings, colour)


# Moves


def ends(board: Board, colour: str, start: int) -> list[int]:
    """Return the ends of ordinary steps from `start`: a neighbour, or the ring behind a straight row of own
    rings.
    """
    found, ours = [], own(colour)
    for way in DIRECTIONS:
        end = start + way
        marbles = board.get(end)
        if marbles is None:
            continue
        if not marbles or takes(marbles, colour):
            found.append(end)
        if marbles in ours:
            end = behind(board, colour, start, way)
            if end in board and takes(board[end], colour):
                found.append(end)
    return found


def behind(board: Board, colour: str, start: int, way: int) -> int:
    """Return the place directly behind the row of own rings that begins next to `start`."""
    place = start + way
    while owned(board.get(place), colour):
        place += way
    return place


def ordinary_steps(board: Board, colour: str) -> Iterator[Step]:
    """Yield all steps without a sacrifice."""
    for start in free(board, colour):
        for end in ends(board, colour, start):
            yield Step(start, end)


def sacrifice_steps(board: Board, colour: str) -> Iterator[Step]:
    """Yield all steps with a sacrifice."""
    unblocked = free(board, colour)
    for given in unblocked:
        for start in unblocked:
            if can_leave_two(board, given, start):
                steps = (Step(start, end, given) for end in board if end != start)
                yield from (step for step in steps if fits(board, colour, step))


def can_leave_two(board: Board, given: int, start: int) -> bool:
    """Return whether a marble can be given up on one unblocked ring while another leaves one, perhaps
    the same.
    """
    return given != start or len(board[start]) > 1


def fits(board: Board, colour: str, step: Step) -> bool:
    """Return whether a marble fits on the last ring of a step, after the sacrifice, if there is one."""
    return step.end == step.given or takes(board[step.end], colour)


def take_step(board: Board, colour: str, step: Step) -> tuple[Board, str]:
    """Return the board after a step, and the letters of the marbles that it deletes by blocking."""
    after = board.copy()
    if step.given is not None:
        after[step.given] = after[step.given][1:]
    after[step.start] = after[step.start][1:]
    after[step.end], deleted = with_one_more(after[step.end], colour)
    return after, deleted


@cache
def with_one_more(marbles: str, colour: str) -> tuple[str, str]:
    """Return the marbles on a ring after one more marble of `colour` arrives, and those that it deletes.

    Colours with fewer marbles on the ring are deleted: for example, a blue marble on a ring with "br" gives
    ("bb", "r").
    """
    own_marbles = marbles.count(colour) + 1
    deleted = "".join(each for each in marbles if each != colour and marbles.count(each) < own_marbles)
    return "".join(sorted(each for each in marbles + colour if each not in deleted)), deleted


def undoes(second: Step, first: Step, deleted: str) -> bool:
    """Return whether step `second` restores the board from before step `first`, which deleted marbles."""
    return not deleted and (second.start, second.end, second.given) == (first.end, first.start, first.given)


def walks(board: Board, colour: str) -> Iterator[Walk]:
    """Yield all pairs of steps that change the board, those with a sacrifice last."""
    for first in ordinary_steps(board, colour):
        between, deleted = take_step(board, colour, first)
        for second in ordinary_steps(between, colour):
            if not undoes(second, first, deleted):
                yield Walk((first, second))
    for first in sacrifice_steps(board, colour):
        between, _ = take_step(board, colour, first)
        for second in ordinary_steps(between, colour):
            yield Walk((first, second))
    for first in ordinary_steps(board, colour):
        between, _ = take_step(board, colour, first)
        for second in sacrifice_steps(between, colour):
            yield Walk((first, second))


# Changes of rings


def spots(rings: Iterable[int], excluded: Iterable[int] = ()) -> list[int]:
    """Return the places that touch at least two of these rings, have no ring and are not excluded,
    ascending.
    """
    return list(numbers_in(spots_in(bits_of(rings), bits_of(excluded))))


def spots_in(rings: int, excluded: int) -> int:
    """Return the places of `spots` as a set, from sets (see `rules/geometry/hexes.py`)."""
    once = twice = 0
    for way in DIRECTIONS:
        near = rings << way if way > 0 else rings >> -way
        twice |= once & near
        once |= near
    return twice & table() & ~(rings | excluded)


def changes(board: Board) -> Iterator[Change]:
    """Yield all changes of rings, in every order; there are far too many to list."""
    empty = [ring for ring, marbles in board.items() if not marbles]
    for taken in permutations(empty, 4):
        for put in _puts(board, board.keys() - set(taken), 4):
            yield Change(taken, put)


def _puts(before: Board, rings: Set[int], count: int) -> Iterator[tuple[int, ...]]:
    if not count:
        yield ()
        return
    for place in spots(rings, before):
        for others in _puts(before, rings | {place}, count - 1):
            yield (place, *others)


def after_change(board: Board, change: Change) -> Board:
    """Return the board after some empty rings are taken away and put down again."""
    kept = {ring: marbles for ring, marbles in board.items() if ring not in change.taken}
    return kept | dict.fromkeys(change.put, "")

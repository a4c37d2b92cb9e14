"""What the rules of NEXUS say about rings and marbles: reach, steps, blocking, changes of rings.

A board is a dict from the places that hold a ring (see `rules/geometry/hexes.py`) to the marbles on it, sorted
colour letters: "" on an empty ring, "brr" with one blue and two red marbles. Boards are never changed, but
copied. `colour` is always the letter of the player who acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import ClassVar, NamedTuple

from rules.geometry.hexes import DIRECTIONS, column_and_row, names, place_at

Board = dict[int, str]

MOST_OF_A_COLOUR = 3
MOST_ON_A_RING = 4


class Step(NamedTuple):
    """One marble goes from `start` to `end`; in a sacrifice step another is given up on `given` before."""

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
    """Two steps of marbles, in the order played; `move` to the players."""

    steps: tuple[Step, ...]
    name: ClassVar[str] = "move"

    @property
    def sacrifice(self) -> bool:
        """Whether a marble is given up."""
        return any(step.given is not None for step in self.steps)


@dataclass(frozen=True)
class Change:
    """Four rings taken away, then four put down, each in the order played; `rings` to the players."""

    taken: tuple[int, ...]
    put: tuple[int, ...]
    name: ClassVar[str] = "rings"


Action = Add | Walk | Change


# What a ring holds


def owned(marbles: str | None, colour: str) -> bool:
    """Whether there is a ring with at least one own marble and no others."""
    return not marbles.strip(colour) if marbles else False


def takes(marbles: str, colour: str) -> bool:
    """Whether one more own marble fits on a ring that holds these."""
    return len(marbles) < MOST_ON_A_RING and marbles.count(colour) < MOST_OF_A_COLOUR


def free(board: Board, colour: str) -> list[int]:
    """The rings that own marbles can leave, because no other colour blocks them."""
    return [place for place, marbles in board.items() if owned(marbles, colour)]


# Adding


@lru_cache(maxsize=4096)
def border(rings: tuple[int, ...]) -> frozenset[int]:
    """The rings next to the outside: that is all places without a ring except holes enclosed by rings."""
    if not rings:
        return frozenset()
    columns, rows = zip(*map(column_and_row, rings), strict=True)
    left, right, top, bottom = min(columns) - 1, max(columns) + 1, min(rows) - 1, max(rows) + 1
    within = {place_at(column, row) for column in range(left, right + 1) for row in range(top, bottom + 1)}
    holes = within.difference(rings)
    # The places around all the rings are outside; what can be reached from one of them is no hole.
    edge = [place_at(left, top)]
    while edge:
        place = edge.pop()
        for way in DIRECTIONS:
            if place + way in holes:
                holes.remove(place + way)
                edge.append(place + way)
    closed = holes.union(rings)
    return frozenset(ring for ring in rings if any(ring + way not in closed for way in DIRECTIONS))


def reachable(board: Board, colour: str) -> list[int]:
    """The empty rings joined to the border by rings that are empty or own, ascending.

    Putting down a marble does not change that, so the order in which three are added does not matter.
    """
    edge = [ring for ring in border(tuple(board)) if not board[ring].strip(colour)]
    reached = set(edge)
    while edge:
        ring = edge.pop()
        for way in DIRECTIONS:
            marbles = board.get(ring + way)
            if marbles is not None and ring + way not in reached and not marbles.strip(colour):
                reached.add(ring + way)
                edge.append(ring + way)
    return sorted(ring for ring in reached if not board[ring])


def after_add(board: Board, colour: str, rings: Iterable[int]) -> Board:
    """The board with an own marble on each of these empty rings."""
    return board | dict.fromkeys(rings, colour)


# Moving


def ends(board: Board, colour: str, start: int) -> list[int]:
    """Where an ordinary step from `start` can lead: to a neighbour, or over a straight row of own rings."""
    found = []
    for way in DIRECTIONS:
        end = start + way
        marbles = board.get(end)
        if marbles is None:
            continue
        if takes(marbles, colour):
            found.append(end)
        if owned(marbles, colour):
            end = behind(board, colour, start, way)
            if end in board and takes(board[end], colour):
                found.append(end)
    return found


def behind(board: Board, colour: str, start: int, way: int) -> int:
    """The place directly behind the row of own rings that begins next to `start`."""
    place = start + way
    while owned(board.get(place), colour):
        place += way
    return place


def ordinary_steps(board: Board, colour: str) -> Iterator[Step]:
    """All steps without a sacrifice."""
    for start in free(board, colour):
        for end in ends(board, colour, start):
            yield Step(start, end)


def sacrifice_steps(board: Board, colour: str) -> Iterator[Step]:
    """All steps with a sacrifice."""
    unblocked = free(board, colour)
    for given in unblocked:
        for start in unblocked:
            if can_leave_two(board, given, start):
                steps = (Step(start, end, given) for end in board if end != start)
                yield from (step for step in steps if fits(board, colour, step))


def can_leave_two(board: Board, given: int, start: int) -> bool:
    """Whether a marble can be given up on one unblocked ring while another leaves one, perhaps the same."""
    return given != start or len(board[start]) > 1


def fits(board: Board, colour: str, step: Step) -> bool:
    """Whether the last ring of a step takes the marble, judged after the sacrifice if there is one."""
    return step.end == step.given or takes(board[step.end], colour)


def take_step(board: Board, colour: str, step: Step) -> tuple[Board, str]:
    """The board after a step, and the letters of the marbles that it deletes by blocking."""
    after = board.copy()
    if step.given is not None:
        after[step.given] = after[step.given][1:]
    after[step.start] = after[step.start][1:]
    marbles = "".join(sorted(after[step.end] + colour))
    own = marbles.count(colour)
    deleted = "".join(other for other in marbles if other != colour and marbles.count(other) < own)
    after[step.end] = "".join(marble for marble in marbles if marble not in deleted)
    return after, deleted


def undoes(second: Step, first: Step, deleted: str) -> bool:
    """Whether the second step leaves the board as it was before the first, which deleted these marbles."""
    return not deleted and (second.start, second.end, second.given) == (first.end, first.start, first.given)


def walks(board: Board, colour: str) -> Iterator[Walk]:
    """All pairs of steps that change the board, those with a sacrifice last."""
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


# Changing rings


def spots(rings: Iterable[int], excluded: Iterable[int] = ()) -> list[int]:
    """The places that touch at least two of these rings and hold none, nor are excluded, ascending."""
    return sorted(set(each_spot(frozenset(rings), frozenset(excluded))))


def each_spot(rings: Set[int], excluded: Set[int]) -> Iterator[int]:
    """The same places as they are found, most of them more than once."""
    for ring in rings:
        for way in DIRECTIONS:
            place = ring + way
            is_free = place not in rings and place not in excluded and place in names()
            if is_free and sum(place + side in rings for side in DIRECTIONS) > 1:
                yield place


def changes(board: Board) -> Iterator[Change]:
    """All changes of rings, in every order; there are far too many to list."""
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
    """The board with rings taken away and put down, all of them empty."""
    kept = {ring: marbles for ring, marbles in board.items() if ring not in change.taken}
    return kept | dict.fromkeys(change.put, "")

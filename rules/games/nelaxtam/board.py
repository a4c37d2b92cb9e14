"""The island of Nelaxtam: its tiles, and their connections.

Seat 0 is O, seat 1 is X. Sets of squares are ints used as bit sets, with bit i for square i of `square_board`.
A diagonal step keeps the colour of the ground and a straight step changes it, so one set holds the tiles of
both sides and rules need not check colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from rules.geometry.squares import DIRECTIONS, SquareBoard, square_board

DEAD = -1
"""The place of a dead troop."""


@dataclass(frozen=True)
class Island:
    """The parts of a board that never change, for one size of board.

    `tiles` and `squares` are the ground of each side, as a set and as ascending numbers; `around[i]` is the set
    of the squares beside square i, `not_first` and `not_last` contain all squares but those of the first or
    last file.
    """

    board: SquareBoard
    tiles: tuple[int, int]
    squares: tuple[tuple[int, ...], tuple[int, ...]]
    edge: frozenset[int]
    around: tuple[int, ...]
    not_first: int
    not_last: int


@cache
def island(size: int) -> Island:
    """Return the island of this size; the same object every time."""
    board = square_board(size)
    numbers = range(size * size)
    of_x = [number for number in numbers if (number % size + size - 1 - number // size) % 2 == 0]
    of_o = [number for number in numbers if number not in of_x]
    return Island(
        board=board,
        tiles=(bits_of(of_o), bits_of(of_x)),
        squares=(tuple(of_o), tuple(of_x)),
        edge=frozenset(number for number in numbers if len(board.steps[number]) < 8),
        around=tuple(bits_of(step.values()) for step in board.steps),
        not_first=bits_of(number for number in numbers if number % size),
        not_last=bits_of(number for number in numbers if (number + 1) % size),
    )


def bits_of(squares: Iterable[int]) -> int:
    """Return the set of these squares, as one integer."""
    found = 0
    for square in squares:
        found |= 1 << square
    return found


def squares_of(bits: int) -> list[int]:
    """Return the squares of a set, ascending."""
    return [square for square in range(bits.bit_length()) if bits >> square & 1]


def connected(size: int, tiles: int, seeds: int) -> int:
    """Return the tiles that diagonal steps over `tiles` can reach from those in `seeds`."""
    while True:
        grown = seeds | _one_step(size, seeds) & tiles
        if grown == seeds:
            return seeds
        seeds = grown


def _one_step(size: int, seeds: int) -> int:
    """Return the squares that are one diagonal step away from a square of a set."""
    land = island(size)
    east, west = seeds & land.not_last, seeds & land.not_first
    return east << size + 1 | east >> size - 1 | west << size - 1 | west >> size + 1


@lru_cache(maxsize=4096)
def fronts(size: int, tiles: int, seat: int) -> tuple[int, ...]:
    """Return the tiles of a seat from which a tile of the other can be destroyed; then those at most one step
    away from these, and so on.
    """
    ground = tiles & island(size).tiles[seat]
    near = _beside(size, tiles & ~ground) & ground
    found = [near]
    while (more := near | _one_step(size, near) & ground) != near:
        near = more
        found.append(near)
    return tuple(found)


def steps_to_front(square: int, near: Sequence[int]) -> int:
    """Return the steps from a square to the first of `fronts`; if no way leads there, more than any way has."""
    return sum([not tiles >> square & 1 for tiles in near])


def controlled(size: int, tiles: int, troops: Sequence[Sequence[int]]) -> int:
    """Return the tiles of both sides that are in a group with at least one troop."""
    return connected(size, tiles, bits_of([square for side in troops for square in side if square != DEAD]))


def touching(size: int, tiles: int) -> bool:
    """Return whether a tile of O is next to a tile of X, so that one could still be destroyed."""
    ours = tiles & island(size).tiles[0]
    return _beside(size, ours) & tiles & ~ours != 0


def _beside(size: int, squares: int) -> int:
    """Return the squares beside those of one side, some of them not on the board."""
    land = island(size)
    return squares << size | squares >> size | (squares & land.not_last) << 1 | (squares & land.not_first) >> 1


@cache
def ways_to(size: int, square: int, tiles: int) -> tuple[str, ...]:
    """Return the directions from a square to those of `tiles` that are beside it."""
    steps = island(size).board.steps[square]
    return tuple(way for way in DIRECTIONS if way in steps and tiles >> steps[way] & 1)

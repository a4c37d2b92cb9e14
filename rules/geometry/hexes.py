"""Axial hex geometry: a table of places a1 to z26, a letter for the column and a number for the row.

A place is the number `28 * column + row`, both from 1 to 26. Columns and rows 0 and 27 are a margin off the
table, so that going one place in a direction is one addition. Ascending order is by letter, then number.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

STRIDE: Final = 28
SIZE: Final = 26
_BITS: Final = [1 << place for place in range(STRIDE * (SIZE + 2))]

DIRECTIONS: Final = (STRIDE, -STRIDE, 1, -1, STRIDE - 1, 1 - STRIDE)
"""The numbers to add to a place for its six neighbours: column +1, column -1, row +1, row -1, and both
diagonals.
"""


def place_at(column: int, row: int) -> int:
    """Return the place in this column and row, on the table or on its margin."""
    return STRIDE * column + row


def column_and_row(place: int) -> tuple[int, int]:
    """Return the column and row of a place: the opposite of `place_at`."""
    return divmod(place, STRIDE)


def letter_of(column: int) -> str:
    """Return the letter of a column from 1 to 26."""
    return chr(ord("a") - 1 + column)


@cache
def names() -> dict[int, str]:
    """Return all places of the table with their names ("m13"), ascending."""
    numbers = range(1, SIZE + 1)
    return {place_at(column, row): f"{letter_of(column)}{row}" for column in numbers for row in numbers}


@cache
def places() -> dict[str, int]:
    """Return the place of each name: the inverse of `names`."""
    return {name: place for place, name in names().items()}


def bits_of(places: Iterable[int]) -> int:
    """Return a set of different places as one integer (see `bits`): bit p is 1 for place p."""
    return sum([_BITS[place] for place in places])


def beside(bits: int) -> int:
    """Return the neighbours of a set of places, on the table or on its margin."""
    return bits << STRIDE | bits >> STRIDE | bits << 1 | bits >> 1 | bits << STRIDE - 1 | bits >> STRIDE - 1


def reached(seeds: int, within: int) -> int:
    """Return the places of the set `within` that are connected to those in `seeds` by neighbours in it."""
    found = 0
    while found != seeds:
        found = seeds
        seeds |= beside(seeds) & within
    return found


@cache
def table() -> int:
    """Return all places of the table as a set."""
    return bits_of(names())


@cache
def margin() -> int:
    """Return the places around the table as a set."""
    return beside(table()) & ~table()


def hexagon(middle: int, side: int) -> tuple[int, ...]:
    """Return all places less than `side` steps away from the middle, ascending."""
    steps = range(1 - side, side)
    return tuple(middle + place_at(over, down) for over in steps for down in steps if abs(over + down) < side)


def triangle(corner: int, side: int) -> tuple[int, ...]:
    """Return the triangle of this side whose first corner has its lowest column and lowest row, ascending."""
    return tuple(corner + place_at(over, down) for over in range(side) for down in range(side - over))

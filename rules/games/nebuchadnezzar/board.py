"""The points of a board of Nebuchadnezzar, and its legal placements and flips, with reasons for illegal ones.

A set of points is an int with bit p for point p. Points are numbered 16 to a rank and boards have at most 15
files, so the bit after the last file is never set and a set can be shifted sideways without running into the
next rank. The search for rectangles looks at all rectangles of one shape together: it shifts whole sets and
keeps a bit for each rectangle at its bottom left point, its corner.

`own` are the discs of the player to move, `enemy` those of the other player.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from rules.geometry.bits import numbers_in
from rules.geometry.squares import FILES

STRIDE = 16
"""The distance from a point to the one above it: points are 16 * rank + file, both from 0, so a1 is point 0."""
RANK = (1 << STRIDE) - 1
FILE = sum(1 << STRIDE * rank for rank in range(STRIDE - 1))


@dataclass(frozen=True, slots=True)
class Place:
    """A disc on an empty point."""

    point: int


@dataclass(frozen=True, slots=True)
class Flip:
    """A rectangle of enemy discs turned over, from its bottom left point to its top right point."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Swap:
    """White takes over Black's first disc and colour."""


@dataclass(frozen=True, slots=True)
class Pass:
    """No move, because none is possible."""


Move = Place | Flip | Swap | Pass


@cache
def point_name(point: int) -> str:
    """Return the name of a point: "c4"."""
    rank, file = divmod(point, STRIDE)
    return f"{FILES[file]}{rank + 1}"


def rectangle_name(flip: Flip) -> str:
    """Return the name of a rectangle by its corners, "c4-e6", or the name of its point if it has only one."""
    low, high = point_name(flip.low), point_name(flip.high)
    return low if low == high else f"{low}-{high}"


# Sets of points


@cache
def whole(size: int) -> int:
    """Return the set of all points of a board."""
    return _block(size, size)


@cache
def inner(size: int) -> int:
    """Return the set of the points that are not on the edge of a board."""
    return _block(size - 2, size - 2) << STRIDE + 1


def rectangle(flip: Flip) -> int:
    """Return the set of the points inside a rectangle."""
    return _block(*_shape(flip)) << flip.low


def _shape(flip: Flip) -> tuple[int, int]:
    up, right = divmod(flip.high - flip.low, STRIDE)
    return right + 1, up + 1


@cache
def _block(width: int, height: int) -> int:
    return sum((1 << width) - 1 << STRIDE * rank for rank in range(height))


# Legal moves


def placements(size: int, own: int, enemy: int) -> int:
    """Return the set of the points where `own` may place a disc."""
    empty = whole(size) & ~(own | enemy)
    return empty & ~_exposed(empty, enemy)


def _exposed(empty: int, enemy: int) -> int:
    """Return the points that touch exactly one enemy disc and exactly three empty points."""
    below, above, left, right = empty << STRIDE, empty >> STRIDE, empty << 1, empty >> 1
    one_upright = enemy << STRIDE & above | below & enemy >> STRIDE
    one_level = enemy << 1 & right | left & enemy >> 1
    return one_upright & left & right | below & above & one_level


@lru_cache(maxsize=1024)
def flips(size: int, own: int, enemy: int) -> tuple[Flip, ...]:
    """Return the rectangles of `enemy` discs that `own` may flip, small ones first."""
    return tuple(Flip(low, high) for low, high, _ in areas_to_flip(size, own, enemy))


def areas_to_flip(size: int, own: int, enemy: int) -> list[tuple[int, int, int]]:
    """Return the rectangles of `flips`, each as three numbers.

    They are its bottom left point, its top right point, and the set of the points inside.
    """
    areas = [
        (corner, corner + STRIDE * (height - 1) + width - 1, _block(width, height) << corner)
        for width, height, corners in _walled_in(size, own, enemy)
        for corner in numbers_in(corners)
    ]
    if len(areas) < 2:
        return areas
    largest = [each for each in areas if not any(each[2] & area == each[2] != area for _, _, area in areas)]
    return sorted(largest, key=lambda each: each[2].bit_count())


def _walled_in(size: int, own: int, enemy: int) -> Iterator[tuple[int, int, int]]:
    """Yield, by width and height, the corners of all enemy rectangles inside walls of which `own` has the
    majority.
    """
    own_lines, enemy_lines = _lines(size, own), _lines(size, enemy)
    tops, rights = _far_edges(size)
    for height in range(1, size + 1):
        own_column, enemy_column, top = own_lines.columns[height], enemy_lines.columns[height], tops[height]
        inside = enemy_column
        for width in range(1, size + 1):
            inside &= enemy_column >> width - 1
            if not inside:
                break
            own_row, far = own_lines.rows[width], (top, rights[width])
            own_level, own_upright = _pairs(own_row, own_column, width, height, far)
            if not inside & (own_level | own_upright):
                continue
            enemy_row = enemy_lines.rows[width]
            level, upright = _pairs(own_row | enemy_row, own_column | enemy_column, width, height, far)
            walled = inside & level & upright
            if not walled:
                continue
            enemy_pairs = _pairs(enemy_row, enemy_column, width, height, far)
            if corners := walled & _won((own_level, own_upright), enemy_pairs, width - height):
                yield width, height, corners


class _Lines(NamedTuple):
    """The starts of lines of discs, by length: those in `rows` go right, those in `columns` go up."""

    rows: list[int]
    columns: list[int]


def _lines(size: int, discs: int) -> _Lines:
    rows, columns = [0, discs], [0, discs]
    for length in range(1, size):
        rows.append(rows[-1] & discs >> length)
        columns.append(columns[-1] & discs >> STRIDE * length)
    return _Lines(rows, columns)


@cache
def _far_edges(size: int) -> tuple[list[int], list[int]]:
    """Return the corners of rectangles that end at the upper edge, by height, and at the right one, by
    width.
    """
    lengths = range(size + 1)
    return [RANK << STRIDE * (size - each) for each in lengths], [FILE << size - each for each in lengths]


def _pairs(row: int, column: int, width: int, height: int, far: tuple[int, int]) -> tuple[int, int]:
    """Return the corners of rectangles with such lines below and above, and of those with them left and right.

    The edge of the board, upper and right one in `far`, forms a pair with any line opposite.
    """
    level = (row << STRIDE | RANK) & (row >> STRIDE * height | far[0])
    upright = (column << 1 | FILE) & (column >> width | far[1])
    return level, upright


def _won(own: tuple[int, int], enemy: tuple[int, int], longer: int) -> int:
    """Return the corners where own pairs of walls, horizontal and vertical, outnumber enemy pairs.

    `longer` is the difference in length between horizontal and vertical walls. A pair that is neither own nor
    enemy has one wall of each, and a pair that is both consists of edges: neither player gains by it.
    """
    level_won, level_lost = own[0] & ~enemy[0], enemy[0] & ~own[0]
    upright_won, upright_lost = own[1] & ~enemy[1], enemy[1] & ~own[1]
    won = level_won & ~upright_lost | upright_won & ~level_lost
    if longer > 0:
        won |= level_won
    elif longer < 0:
        won |= upright_won
    return won


# Reasons why a move is illegal


def why_not_place(point: int, own: int, enemy: int) -> str:
    """Return the reason, in a sentence, why `own` may not place a disc on a point that `placements` lacks."""
    name = point_name(point)
    if (own | enemy) >> point & 1:
        whose = "your own disc" if own >> point & 1 else "an enemy disc"
        return f"{name} holds {whose}: place a disc on an empty point."
    around = 1 << point + STRIDE | 1 << point - STRIDE | 1 << point + 1 | 1 << point - 1
    enemy_neighbour = next(numbers_in(enemy & around))
    return (
        f"{name} touches exactly one enemy disc, on {point_name(enemy_neighbour)}, and three empty points, "
        "so you may not place a disc there."
    )


def why_not_flip(flip: Flip, size: int, own: int, enemy: int) -> str:
    """Return the reason, in a sentence, why `own` may not flip a rectangle that `flips` lacks."""
    name = rectangle_name(flip)
    inside = rectangle(flip)
    for stray in numbers_in(inside & ~enemy):
        what = "holds your own disc" if own >> stray & 1 else "is empty"
        return f"{point_name(stray)} {what}: every point of the rectangle must hold an enemy disc."
    walls = _walls(flip, size)
    for side, wall in walls.items():
        if fault := _fault(wall, own, enemy):
            return f"The wall {side} {name} must be discs of one colour without a gap, but {fault}."
    mine, all_points = _owned(walls, own), 2 * sum(_shape(flip))
    if 2 * mine <= all_points:
        return f"You own {mine} of the {all_points} points around {name}; to flip it you need more than half."
    bigger = next(other for other in flips(size, own, enemy) if rectangle(other) & inside == inside)
    return f"{name} is part of a bigger rectangle that you can flip, {rectangle_name(bigger)}: flip that one."


def _walls(flip: Flip, size: int) -> dict[str, int]:
    """Return the points of each wall of a rectangle; a wall at the edge of the board has none."""
    width, height = _shape(flip)
    level, upright = _block(width, 1) << flip.low, _block(1, height) << flip.low
    walls = {
        "below": level >> STRIDE,
        "above": level << STRIDE * height,
        "left of": upright >> 1,
        "right of": upright << width,
    }
    return {side: wall & whole(size) for side, wall in walls.items()}


def _fault(wall: int, own: int, enemy: int) -> str:
    for gap in numbers_in(wall & ~(own | enemy)):
        return f"{point_name(gap)} is empty"
    if wall & own and wall & enemy:
        mine, other = next(numbers_in(wall & own)), next(numbers_in(wall & enemy))
        return f"{point_name(mine)} is yours and {point_name(other)} is not"
    return ""


def _owned(walls: dict[str, int], own: int) -> int:
    """Return how many points of the walls are `own`; an edge counts as much as the wall opposite."""
    below, above, left, right = walls.values()
    counted = (below or above, above or below, left or right, right or left)
    return sum((wall & own).bit_count() for wall in counted)

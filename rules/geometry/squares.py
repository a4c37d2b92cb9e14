"""Geometry: squares and cells by name and number, and their neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

FILES = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class SquareBoard:
    """A square board, up to 26 squares wide; squares are numbered from a1 = 0, b1 = 1, … row by row.

    `names[i]` is the name of square i and `index[name]` its number. `steps[i]` maps each direction (`n`, `ne`,
    `e`, …, north towards higher ranks) to the neighbour's number, if there is one. For example, on a board of
    8 by 8 squares `steps[0]["ne"]` is 9, the number of b2.
    """

    names: tuple[str, ...]
    index: dict[str, int]
    steps: tuple[dict[str, int], ...]


DIRECTIONS = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}
"""File and rank steps of the eight directions."""


@cache
def square_board(size: int) -> SquareBoard:
    """Return the board of this size; the same object every time."""
    names = tuple(f"{FILES[file]}{rank + 1}" for rank in range(size) for file in range(size))
    return SquareBoard(
        names=names,
        index={name: number for number, name in enumerate(names)},
        steps=tuple(_steps(size, file, rank) for rank in range(size) for file in range(size)),
    )


def _steps(size: int, file: int, rank: int) -> dict[str, int]:
    return {
        direction: (rank + up) * size + file + right
        for direction, (right, up) in DIRECTIONS.items()
        if 0 <= file + right < size and 0 <= rank + up < size
    }


@dataclass(frozen=True)
class HexagonBoard:
    """A hexagon of hexagonal cells with pointy tops, up to 13 along each side.

    Rows are letters from a at the bottom, cells count from 1 at the left of their row; they are numbered a1 =
    0, a2 = 1, … row by row. `names` and `index` are as on a square board. `places[i]` is the column and row of
    cell i on slanting axes, so that a direction is the same step everywhere. `steps[i]` maps each direction
    (`HEX_DIRECTIONS`, clockwise) to the neighbour's number, if there is one.
    """

    names: tuple[str, ...]
    index: dict[str, int]
    places: tuple[tuple[int, int], ...]
    steps: tuple[dict[str, int], ...]


HEX_DIRECTIONS = {
    "ne": (1, 1),
    "e": (1, 0),
    "se": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (0, 1),
}
"""Column and row steps of the six directions on slanting axes, clockwise."""


@cache
def hexagon_board(side: int) -> HexagonBoard:
    """Return the board of this side; the same object every time."""
    cells = [
        (f"{FILES[row]}{cell + 1}", (cell + max(0, row + 1 - side), row))
        for row in range(2 * side - 1)
        for cell in range(2 * side - 1 - abs(row + 1 - side))
    ]
    number = {place: i for i, (_, place) in enumerate(cells)}
    return HexagonBoard(
        names=tuple(name for name, _ in cells),
        index={name: i for i, (name, _) in enumerate(cells)},
        places=tuple(number),
        steps=tuple(_hex_steps(number, place) for place in number),
    )


def _hex_steps(number: dict[tuple[int, int], int], place: tuple[int, int]) -> dict[str, int]:
    column, row = place
    around = {name: (column + right, row + up) for name, (right, up) in HEX_DIRECTIONS.items()}
    return {name: number[there] for name, there in around.items() if there in number}

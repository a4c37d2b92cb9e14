"""Positions of Nebuchadnezzar, and their JSON form, which the rules page describes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.errors import BadData
from rules.game import Json
from rules.games.nebuchadnezzar.board import STRIDE
from rules.reading import need, texts, whole

SEATS = ("First", "Second")
COLOURS = ("black", "white")
KEYS = ("size", "rows", "colours", "to_move", "ply")


@dataclass(frozen=True, slots=True)
class Position:
    """A position between two turns.

    `black` and `white` are the points with discs of that colour, without a common point. `black_seat` plays
    black, the other seat white. `ply` counts the turns played. No disc ever leaves the board, so a placement
    makes all earlier positions impossible: `earlier` describes those since the last placement or swap. It is
    empty exactly when the last turn was a placement or swap, or is not known.
    """

    size: int
    black: int = 0
    white: int = 0
    black_seat: int = 0
    to_move: int = 0
    ply: int = 0
    earlier: tuple[str, ...] = ()

    def discs(self, seat: int) -> int:
        """Return the set of points with discs of a seat."""
        return self.black if seat == self.black_seat else self.white

    def sides(self) -> tuple[int, int]:
        """Return the sets of points with discs of the seat to move, and of its enemy."""
        return self.discs(self.to_move), self.discs(1 - self.to_move)

    def colour(self) -> str:
        """Return the colour of the seat to move."""
        return COLOURS[self.to_move != self.black_seat]

    def sign(self, point: int) -> str:
        """Return the letter of the disc on a point; "" for none."""
        if self.black >> point & 1:
            return "b"
        return "w" if self.white >> point & 1 else ""


def write_position(position: Position) -> Json:
    """Return the position as JSON."""
    colours = COLOURS if position.black_seat == 0 else COLOURS[::-1]
    return {
        "size": position.size,
        "rows": _rows(position),
        "colours": list(colours),
        "to_move": position.to_move,
        "ply": position.ply,
    }


def read_position(size: int, data: Json, memory: Sequence[str]) -> Position:
    """Return the position that `write_position` wrote, on a board of this size. Raises BadData."""
    need(data, KEYS, "A position of Nebuchadnezzar needs “{}”.")
    if data["size"] != size:
        raise BadData(f"The position has size {data['size']!r}, but the options have size {size}.")
    if data["colours"] not in (list(COLOURS), list(COLOURS[::-1])):
        raise BadData("“colours” are black and white, one for each seat.")
    to_move = whole(data["to_move"], "“to_move” is seat 0 or 1, not {!r}.", most=1)
    ply = whole(data["ply"], "“ply” counts the turns played, from 0; it cannot be {!r}.")
    black, white = _discs(data["rows"], size)
    return Position(size, black, white, data["colours"].index("black"), to_move, ply, tuple(memory))


def _rows(position: Position) -> list[str]:
    ranks = range((position.size - 1) * STRIDE, -1, -STRIDE)
    return ["".join(position.sign(rank + file) or "." for file in range(position.size)) for rank in ranks]


def _discs(rows: object, size: int) -> tuple[int, int]:
    """Return the points of the black and of the white discs in `rows`."""
    wrong = f"“rows” are {size} texts of {size} signs each, from the top rank down."
    found = {"b": 0, "w": 0, ".": 0}
    for rank, row in enumerate(reversed(texts(rows, [size] * size, wrong))):
        for file, sign in enumerate(row):
            if sign not in found:
                raise BadData(f"“rows” hold the signs b, w and . only, not {sign}.")
            found[sign] |= 1 << STRIDE * rank + file
    return found["b"], found["w"]

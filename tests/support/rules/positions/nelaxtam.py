"""Positions of Nelaxtam for tests: drawn, described, or random."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rules.errors import IllegalMove
from rules.game import Step
from rules.games.nelaxtam.position import Position
from rules.games.nelaxtam.rules import Nelaxtam
from rules.games.nelaxtam.turn import Orders

NELAXTAM = Nelaxtam()

DIAGRAM_5 = """
x o x o x o x o x o x o
o x o x o x o x o x o x
x o . o x o x o x o x o
o x . x o x . x . E o x
x o x . . o x o x o x o
o x 1 x . x o x o x o x
x o x o . 4 x o x o . .
o x o A o x o x o . . x
x o x o . o x o . 2 x o
o x o x o . o x . x o x
x o x o x o B o . o x o
o x o x o x o x . x o x
"""

DIAGRAM_7 = """
x . x . . o . o . . x .
. A . . o . o . o . . E
x . . o . o . o . o . .
. x . . o . o . . . o .
x . . . . . . . . 4 . o
. x . x . x . . . . . .
. . x . x . x . B . x .
. . . . . x . x . x . x
. o . . . . . . . . x .
o . 1 . o . o . . . . x
. o . o . o . o . o . .
o . o . o . o . 2 . o .
"""


def options(**given: object) -> dict[str, Any]:
    """Return options that the rules do not check, so that tests can play on a very small island."""
    return {"size": 12, "troops": 5, "sea": 3, "mode": "wild", **given}


def drawn(picture: str, **counters: int) -> Position:
    """Return the position of a drawing, in which letters and numbers are troops on tiles of their own."""
    lines = [line.split() for line in picture.strip().split("\n")]
    size = len(lines)
    troops = {
        sign: f"{'abcdefghijklmn'[file]}{size - down}"
        for down, line in enumerate(lines)
        for file, sign in enumerate(line)
        if sign not in "xo."
    }
    tiles = str.maketrans("12345ABCDE", "oooooxxxxx")
    rows = ["".join(line).translate(tiles) for line in lines]
    data = {"size": size, "rows": rows, "troops": troops, "turn": 1, "quiet_turns": 0, **counters}
    return NELAXTAM.read(options(size=size), data)


def island_with(troops: str, gone: str = "", mode: str = "wild", quiet_turns: int = 0) -> Position:
    """Return a 12 x 12 island with troops as in "1 a1, A a12", without the tiles `gone`."""
    given = options(mode=mode)
    data = NELAXTAM.write(NELAXTAM.start(given, {}))
    for square in gone.split():
        file, row = "abcdefghijkl".index(square[0]), 12 - int(square[1:])
        data["rows"][row] = data["rows"][row][:file] + "." + data["rows"][row][file + 1 :]
    data["troops"] = dict(troop.split() for troop in troops.split(", "))
    return NELAXTAM.read(given, {**data, "turn": 1, "quiet_turns": quiet_turns})


def step(position: Position, first: str = "hold", second: str = "hold") -> Step[Position, Orders]:
    """Return a turn in which the sides give these orders; "" for none."""
    texts = {0: first, 1: second}
    orders = {seat: NELAXTAM.parse(position, seat, text) for seat, text in texts.items() if text}
    return Step(position, orders, NELAXTAM.play(position, orders))


def turn(position: Position, first: str = "hold", second: str = "hold") -> Position:
    return step(position, first, second).after


def troops_of(position: Position) -> dict[str, str]:
    troops: dict[str, str] = NELAXTAM.write(position)["troops"]
    return troops


def gone(before: Position, after: Position) -> set[str]:
    """Return the squares whose tiles are in `before` and not in `after`."""
    old, new = ("".join(reversed(NELAXTAM.write(position)["rows"])) for position in (before, after))
    size = before.size
    return {
        f"{'abcdefghijklmn'[square % size]}{square // size + 1}"
        for square in range(size * size)
        if old[square] != new[square]
    }


def tiles(position: Position) -> tuple[int, int]:
    """Return the numbers of tiles of O and X."""
    signs = "".join(NELAXTAM.write(position)["rows"])
    return signs.count("o"), signs.count("x")


def result(position: Position) -> dict[str, Any] | None:
    found = NELAXTAM.result(position)
    return found.to_json() if found else None


def refusal(position: Position, seat: int, text: str) -> str:
    """Return the sentence that refuses the orders."""
    with pytest.raises(IllegalMove) as caught:
        NELAXTAM.parse(position, seat, text)
    return str(caught.value)


def random_game(
    given: dict[str, Any], below: Callable[[int], int]
) -> Iterator[tuple[Position, dict[int, Orders]]]:
    """Yield the positions of a game with the orders given in each; none in the last."""
    position = NELAXTAM.start(given, {})
    while NELAXTAM.to_move(position):
        orders = {seat: NELAXTAM.sample(position, seat, below) for seat in (0, 1)}
        yield position, orders
        position = NELAXTAM.play(position, orders)
    yield position, {}

"""Positions and games of Nibble for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rules.chance import Chance
from rules.game import Json
from rules.games.nibble.board import board_named
from rules.games.nibble.position import Position
from rules.games.nibble.rules import Nibble
from rules.games.nibble.turn import Take
from tests.support import folders

NIBBLE = Nibble()
RECORDS = sorted(folders.RECORDS.glob("nibble-*.json"))
COUNTS = {"square-9": 9, "square-13": 13, "hex-13": 13}


def start(board: str = "square-9", number: int = 0) -> Position:
    """Return the first position of a game; the number stands for the seed."""
    options = {"board": board}
    return NIBBLE.start(options, NIBBLE.setup(options, Chance(number.to_bytes(32, "big"), "layout")))


def data(board: str, rows: list[str]) -> Json:
    """Return a position in which each seat has taken half of the missing blocks; the second has one more of an
    odd number.
    """
    missing = [COUNTS[board] - "".join(rows).count(letter) for letter in "ABCDEFGHIJKLM"[: COUNTS[board]]]
    taken = [[count // 2 for count in missing], [count - count // 2 for count in missing]]
    return {"board": board, "rows": rows, "taken": taken, "to_move": 0}


def square_9(*rows: str) -> Position:
    """Return a position on the square board with these rows at its upper left and nothing else."""
    padded = [row.ljust(9, ".") for row in (*rows, *[""] * (9 - len(rows)))]
    return NIBBLE.read({"board": "square-9"}, data("square-9", padded))


def hex_13(**rows: str) -> Position:
    """Return a position on the hexagon with these rows, filled up at their right, and nothing else."""
    padded = [rows.get(row[0][0], "").ljust(len(row), ".") for row in board_named("hex-13").rows]
    return NIBBLE.read({"board": "hex-13"}, data("hex-13", padded))


def texts(position: Position) -> list[str]:
    """Return all legal moves."""
    return [NIBBLE.format(move) for move in NIBBLE.moves(position, position.to_move)]


def game(board: str, seed: int) -> Iterator[tuple[Position, Take]]:
    """Yield the turns of a random game: each position, and its move."""
    rng = random.Random(seed)
    position = start(board, seed)
    while NIBBLE.to_move(position):
        move = NIBBLE.sample(position, position.to_move, rng.randrange)
        yield position, move
        position = NIBBLE.play(position, {position.to_move: move})


def moved(board: str, *held: dict[str, int], mover: int, left: str = "a1") -> Position:
    """Return a position just after a turn of `mover`: the blocks that each seat has taken, and one block A
    left, or none.
    """
    letters = "ABCDEFGHIJKLM"[: COUNTS[board]]
    one, two = (tuple(taken.get(letter, 0) for letter in letters) for taken in held)
    block = board_named(board).bits[left] if left else 0
    return Position(board, (block, *(0,) * (len(letters) - 1)), (one, two), 1 - mover)


def played(record: Json) -> list[Position]:
    """Return all positions of a record, including the first; check that every turn is legal and canonical."""
    options = NIBBLE.options(record["options"])
    positions = [NIBBLE.start(options, record["setup"])]
    for turn in record["turns"]:
        assert NIBBLE.to_move(positions[-1]) == (turn["seat"],)
        move = NIBBLE.parse(positions[-1], turn["seat"], turn["move"])
        assert NIBBLE.format(move) == turn["move"]
        positions.append(NIBBLE.play(positions[-1], {turn["seat"]: move}))
    return positions

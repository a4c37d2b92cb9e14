"""A second implementation of Nibble, slow and simple, for comparison: positions are the JSON objects of the
rules.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

Json = dict[str, Any]
Blocks = dict[str, str]
"""The letter of each block by the name of its square."""

ROWS = "abcdefghijklmno"
TRIPLES = {"square-9": 7, "square-13": 10, "hex-13": 10}


def moves(data: Json, seat: int) -> set[str]:
    """Return every legal turn of `seat`, as canonical text."""
    if seat != data["to_move"] or result(data):
        return set()
    blocks = blocks_of(data)
    found = set()
    for letter in set(blocks.values()):
        free = [s for s in blocks if blocks[s] == letter and is_exposed(s, blocks, data["board"])]
        for size in range(1, len(free) + 1):
            for squares in combinations(free, size):
                rest = {s for s in blocks if s not in squares}
                if is_one_group(rest, data["board"]):
                    found.add(" ".join(sorted(squares, key=by_letter_then_number)))
    return found


def play(data: Json, seat_moves: dict[int, str]) -> Json:
    """Return the position after a legal turn."""
    [(seat, text)] = seat_moves.items()
    blocks = blocks_of(data)
    taken = [list(data["taken"][0]), list(data["taken"][1])]
    for square in text.split():
        taken[seat]["ABCDEFGHIJKLM".index(blocks.pop(square))] += 1
    rows = ["".join(blocks.get(s, ".") for s in row) for row in names(data["board"])]
    return {"board": data["board"], "rows": rows, "taken": taken, "to_move": 1 - seat}


def result(data: Json) -> Json | None:
    """Return the result of the game, None while it goes on."""
    mover = 1 - data["to_move"]
    held = data["taken"][mover]
    if any(count == len(held) for count in held):
        return {"winners": [mover], "reason": "monochrome"}
    for i in range(len(held) - 2):
        if all(count >= TRIPLES[data["board"]] for count in held[i : i + 3]):
            return {"winners": [mover], "reason": "triple"}
    if blocks_of(data):
        return None
    most = {9: 5, 13: 7}[len(held)]
    scores = [len([count for count in data["taken"][seat] if count >= most]) for seat in (0, 1)]
    return {
        "winners": [seat for seat in (0, 1) if scores[seat] >= most],
        "reason": "majority",
        "scores": scores,
    }


def names(board: str) -> list[list[str]]:
    """Return the names of the squares, row by row from the top."""
    if board == "hex-13":
        return [[f"{row}{k}" for k in range(1, 16 - abs(7 - ROWS.index(row)))] for row in reversed(ROWS)]
    size = int(board[7:])
    return [[f"{file}{rank}" for file in ROWS[:size]] for rank in range(size, 0, -1)]


def blocks_of(data: Json) -> Blocks:
    """Return the blocks that are left."""
    squares = [s for row in names(data["board"]) for s in row]
    return {s: letter for s, letter in zip(squares, "".join(data["rows"]), strict=True) if letter != "."}


def around(square: str, board: str) -> list[str]:
    """Return the names next to a square, one side after the other; names of no square off the board."""
    line, k = ROWS.index(square[0]), int(square[1:])
    if board != "hex-13":
        left = ROWS[line - 1] if line else "?"
        right = (ROWS + "?")[line + 1]
        return [f"{square[0]}{k + 1}", f"{right}{k}", f"{square[0]}{k - 1}", f"{left}{k}"]
    above = (ROWS + "?")[line + 1]
    below = ROWS[line - 1] if line else "?"
    up = k if line < 7 else k - 1
    down = k - 1 if line <= 7 else k
    return [
        f"{square[0]}{k + 1}",
        f"{above}{up + 1}",
        f"{above}{up}",
        f"{square[0]}{k - 1}",
        f"{below}{down}",
        f"{below}{down + 1}",
    ]


def is_exposed(square: str, blocks: Blocks, board: str) -> bool:
    """Return whether enough sides that follow one another have no block."""
    open_sides = [neighbour not in blocks for neighbour in around(square, board)]
    needed = 3 if board == "hex-13" else 2
    twice_around = open_sides + open_sides
    return any(all(twice_around[i : i + needed]) for i in range(len(open_sides)))


def is_one_group(squares: set[str], board: str) -> bool:
    """Return whether the squares are connected along sides, or there are none."""
    if not squares:
        return True
    todo = [min(squares)]
    reached = set(todo)
    while todo:
        for neighbour in around(todo.pop(), board):
            if neighbour in squares and neighbour not in reached:
                reached.add(neighbour)
                todo.append(neighbour)
    return reached == squares


def by_letter_then_number(square: str) -> tuple[str, int]:
    """Return the sort key of squares in canonical text."""
    return square[0], int(square[1:])

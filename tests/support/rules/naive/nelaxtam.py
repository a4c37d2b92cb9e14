"""A second implementation of Nelaxtam, slow and simple, from the rules page alone: positions are JSON, moves
are text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

Json = dict[str, Any]
Square = tuple[int, int]

NAMES = ("12345", "ABCDE")
COLOURS = "ox"
WAYS = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}


def moves(data: Json, seat: int, options: Json) -> set[str]:
    """Return the canonical texts of all legal moves of a seat; none if the game is over."""
    if ending(data):
        return set()
    if data["turn"] == 0:
        return set(_invasions(data, seat, options))
    return {"end", *_order_sets(data, seat, options)}


def play(data: Json, seat_moves: dict[int, str]) -> Json:
    """Return the position after a turn; a missing seat holds."""
    if data["turn"] == 0:
        troops = dict(order.split() for seat in (0, 1) for order in seat_moves[seat].split(", "))
        return {**data, "troops": troops, "turn": 1}
    tiles = tiles_of(data)
    stand = {troop: number(square) for troop, square in data["troops"].items()}
    orders = [order for text in seat_moves.values() for order in _split(text)]
    destroyed = {_step(stand[troop], way) for troop, way in orders if len(way) == 1}
    stand |= {troop: _step(stand[troop], way) for troop, way in orders if len(way) == 2}
    for square in destroyed:
        del tiles[square]
    stand = {troop: square for troop, square in stand.items() if square in tiles}
    tiles = _held(tiles, stand.values())
    return {
        "size": data["size"],
        "rows": _rows(data["size"], tiles),
        "troops": {troop: text(stand[troop]) for troop in sorted(stand)},
        "turn": data["turn"] + 1,
        "quiet_turns": data["quiet_turns"] + 1 if tiles == tiles_of(data) else 0,
    }


def ending(data: Json, seat_moves: dict[int, str] | None = None) -> Json | None:
    """Return the result of a position that `seat_moves` led to, None while the game goes on."""
    if data["turn"] == 0:
        return None
    tiles = tiles_of(data)
    scores = [list(controlled(data).values()).count(colour) for colour in COLOURS]
    winners = [seat for seat in (0, 1) if scores[seat] == max(scores)]
    reason = ""
    if data["quiet_turns"] >= 20:
        reason = "standstill"
    if seat_moves == {0: "end", 1: "end"}:
        reason = "agreed-end"
    if not any(_step(square, way) in tiles for square in tiles for way in "nesw"):
        reason = "exhausted"
    return {"winners": winners, "reason": reason, "scores": scores} if reason else None


def tiles_of(data: Json) -> dict[Square, str]:
    """Return the colour of each tile that is left, by square (file and rank from 0)."""
    size = data["size"]
    return {
        (file, size - 1 - down): sign
        for down, row in enumerate(data["rows"])
        for file, sign in enumerate(row)
        if sign != "."
    }


def controlled(data: Json) -> dict[Square, str]:
    """Return the tiles in groups that hold a troop."""
    return _held(tiles_of(data), [number(square) for square in data["troops"].values()])


def number(name: str) -> Square:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def text(square: Square) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[square[0]] + str(square[1] + 1)


def _invasions(data: Json, seat: int, options: Json) -> Iterator[str]:
    last = data["size"] - 1
    own = [square for square, colour in tiles_of(data).items() if colour == COLOURS[seat]]
    for squares in product(own, repeat=options["troops"]):
        on_edge = [square for square in squares if 0 in square or last in square]
        if len(set(squares)) == len(squares) and len(on_edge) >= options["sea"]:
            yield ", ".join(f"{troop} {text(at)}" for troop, at in zip(NAMES[seat], squares, strict=False))


def _order_sets(data: Json, seat: int, options: Json) -> Iterator[str]:
    tiles = tiles_of(data)
    stand = {troop: number(square) for troop, square in data["troops"].items() if troop in NAMES[seat]}
    choices = [
        [(troop, "hold"), *((troop, way) for way in WAYS if _step(square, way) in tiles)]
        for troop, square in stand.items()
    ]
    for orders in product(*choices):
        acting = [f"{troop} {way}" for troop, way in orders if way != "hold"]
        if options["mode"] == "quiet" and len(acting) > 1:
            continue
        moving = {troop: _step(stand[troop], way) for troop, way in orders if way in ("ne", "se", "sw", "nw")}
        ends = list({**stand, **moving}.values())
        if len(set(ends)) == len(ends):
            yield ", ".join(sorted(acting)) or "hold"


def _split(text: str) -> list[list[str]]:
    return [] if text in ("hold", "end") else [order.split() for order in text.split(", ")]


def _step(square: Square, way: str) -> Square:
    right, up = WAYS[way]
    return square[0] + right, square[1] + up


def _group(tiles: dict[Square, str], start: Square) -> set[Square]:
    """Return the tiles joined to `start` across corners."""
    found, waiting = {start}, [start]
    while waiting:
        square = waiting.pop()
        for way in ("ne", "se", "sw", "nw"):
            there = _step(square, way)
            if there in tiles and there not in found:
                found.add(there)
                waiting.append(there)
    return found


def _held(tiles: dict[Square, str], troops: Iterable[Square]) -> dict[Square, str]:
    """Return the tiles in groups that hold a troop."""
    held = {square for troop in troops for square in _group(tiles, troop)}
    return {square: colour for square, colour in tiles.items() if square in held}


def _rows(size: int, tiles: dict[Square, str]) -> list[str]:
    return ["".join(tiles.get((file, rank), ".") for file in range(size)) for rank in range(size - 1, -1, -1)]

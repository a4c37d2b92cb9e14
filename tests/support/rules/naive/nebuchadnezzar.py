"""A second implementation of Nebuchadnezzar, slow and simple, from the rules page alone, for comparison.

Positions are the JSON objects of records. Points are pairs of file and rank, both counted from 1.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Any

Json = dict[str, Any]
Point = tuple[int, int]
Box = tuple[int, int, int, int]


def moves(data: Json, seat: int) -> set[str]:
    """Return all moves of the seat in a game that is not over; none if it is not to move or has to pass."""
    if seat != data["to_move"]:
        return set()
    return _placements(data, seat) | _flips(data, seat) | _swaps(data, seat)


def play(data: Json, seat_moves: dict[int, str]) -> Json:
    """Return the position after one turn."""
    ((seat, move),) = seat_moves.items()
    discs = _discs(data)
    mine = data["colours"][seat][0]
    colours = list(data["colours"])
    if move == "swap":
        colours.reverse()
    elif move.startswith("x"):
        corners = move[1:].split("-")
        discs.update(dict.fromkeys(_inside(_box(corners[0], corners[-1])), mine))
    elif move != "pass":
        discs[_point(move)] = mine
    size = data["size"]
    rows = ["".join(discs[file, rank] for file in range(1, size + 1)) for rank in range(size, 0, -1)]
    return {"size": size, "rows": rows, "colours": colours, "to_move": 1 - seat, "ply": data["ply"] + 1}


def ending(positions: list[Json], move: str) -> str | None:
    """Return why the game is over after `move` led to the last of all its positions, None while it goes on."""
    now = positions[-1]
    loser = now["colours"][now["to_move"]][0]
    if move.startswith("x") and loser not in "".join(now["rows"]):
        return "annihilation"
    if not any(_placements(now, seat) | _flips(now, seat) for seat in (0, 1)):
        return "blocked"
    same = [p for p in positions if all(p[key] == now[key] for key in ("rows", "colours", "to_move"))]
    return "repetition" if len(same) >= 3 else None


def _discs(data: Json) -> dict[Point, str]:
    size = data["size"]
    return {
        (file, rank): data["rows"][size - rank][file - 1]
        for file, rank in product(range(1, size + 1), repeat=2)
    }


def _name(point: Point) -> str:
    return f"{'abcdefghijklmno'[point[0] - 1]}{point[1]}"


def _point(name: str) -> Point:
    return "abcdefghijklmno".index(name[0]) + 1, int(name[1:])


def _placements(data: Json, seat: int) -> set[str]:
    discs = _discs(data)
    enemy = data["colours"][1 - seat][0]
    found = set()
    for (file, rank), disc in discs.items():
        around = [(file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)]
        signs = [discs[point] for point in around if point in discs]
        forbidden = signs.count(enemy) == 1 and signs.count(".") == 3
        if disc == "." and not forbidden:
            found.add(_name((file, rank)))
    return found


def _swaps(data: Json, seat: int) -> set[str]:
    signs = "".join(data["rows"]).replace(".", "")
    return {"swap"} if data["ply"] == 1 and signs == "b" and data["colours"][seat] == "white" else set()


def _box(one: str, other: str) -> Box:
    (a, b), (c, d) = _point(one), _point(other)
    return a, b, c, d


def _inside(box: Box) -> list[Point]:
    left, bottom, right, top = box
    return list(product(range(left, right + 1), range(bottom, top + 1)))


def _flips(data: Json, seat: int) -> set[str]:
    spans = list(combinations_with_replacement(range(1, data["size"] + 1), 2))
    discs = _discs(data)
    mine = data["colours"][seat][0]
    good = {
        (left, bottom, right, top)
        for (left, right), (bottom, top) in product(spans, spans)
        if _may_flip(discs, (left, bottom, right, top), mine)
    }
    largest = [box for box in good if not any(box != other and _within(box, other) for other in good)]
    names = [(_name((left, bottom)), _name((right, top))) for left, bottom, right, top in largest]
    return {f"x{low}" if low == high else f"x{low}-{high}" for low, high in names}


def _within(box: Box, other: Box) -> bool:
    return set(_inside(box)) <= set(_inside(other))


def _may_flip(discs: dict[Point, str], box: Box, mine: str) -> bool:
    if any(discs[point] in (".", mine) for point in _inside(box)):
        return False
    left, bottom, right, top = box
    below = [discs.get((file, bottom - 1)) for file in range(left, right + 1)]
    above = [discs.get((file, top + 1)) for file in range(left, right + 1)]
    west = [discs.get((left - 1, rank)) for rank in range(bottom, top + 1)]
    east = [discs.get((right + 1, rank)) for rank in range(bottom, top + 1)]
    walls = [_coloured(below, above), _coloured(above, below), _coloured(west, east), _coloured(east, west)]
    if any("." in wall or len(set(wall)) > 1 for wall in walls):
        return False
    perimeter = [sign for wall in walls for sign in wall]
    return 2 * perimeter.count(mine) > len(perimeter)


def _coloured(wall: list[str | None], opposite: list[str | None]) -> list[str | None]:
    """Return the wall, or the opposite one if it is an edge of the board (all None)."""
    return opposite if None in wall else wall

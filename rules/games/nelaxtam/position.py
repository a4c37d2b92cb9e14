"""Positions of Nelaxtam, from and to the data on the rules page, and its options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.game import BadData, Json
from rules.games.nelaxtam.board import DEAD, island, ways_to

SEATS = ("O", "X")
TROOPS = ("12345", "ABCDE")
"""By seat."""
SIZES = {"wild": (10, 12, 14), "quiet": (8, 10, 12, 14)}
_OPTIONS = ("size", "troops", "sea", "mode")
_KEYS = ("size", "rows", "troops", "turn", "quiet_turns")


@dataclass(frozen=True, slots=True)
class Position:
    """A position between two turns.

    `army` troops a side, of which `sea` at least land on the edge; `quiet` says that one troop a side acts.
    `tiles` is the set of tiles left. `troops` holds, by seat and troop, the square or DEAD; two empty tuples
    before the invasion, when `turn` is 0 and no tile is missing. Each living troop stands on a tile of its own
    colour, alone. `agreed` says that both sides ordered `end` in the last turn.
    """

    size: int
    army: int
    sea: int
    quiet: bool
    tiles: int
    troops: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    turn: int = 0
    quiet_turns: int = 0
    agreed: bool = False


def living(position: Position, seat: int) -> dict[str, int]:
    """The living troops of a seat with their squares."""
    pairs = zip(TROOPS[seat], position.troops[seat], strict=False)
    return {troop: square for troop, square in pairs if square != DEAD}


def open_ways(position: Position, square: int) -> tuple[str, ...]:
    """The directions in which a troop on `square` can move or destroy: those with a tile."""
    return ways_to(position.size, square, position.tiles & island(position.size).around[square])


def tile_rows(position: Position) -> list[str]:
    """The tiles by ranks from the top: `x`, `o`, or `.` where there is none."""
    size, land = position.size, island(position.size)
    signs = "".join(
        "." if not position.tiles >> square & 1 else "ox"[land.tiles[1] >> square & 1]
        for square in range(size * size)
    )
    return [signs[rank * size : (rank + 1) * size] for rank in reversed(range(size))]


def write_position(position: Position) -> Json:
    """The position as any spectator may see it."""
    names = island(position.size).board.names
    troops = living(position, 0) | living(position, 1)
    return {
        "size": position.size,
        "rows": tile_rows(position),
        "troops": {troop: names[square] for troop, square in troops.items()},
        "turn": position.turn,
        "quiet_turns": position.quiet_turns,
    }


def read_position(start: Position, data: Json) -> Position:
    """The position that `write_position` wrote, in a game that began with `start`. Raises BadData."""
    missing = [key for key in _KEYS if key not in data]
    if missing:
        raise BadData(f"A position of Nelaxtam needs “{missing[0]}”.")
    if data["size"] != start.size:
        raise BadData(f"The position has size {data['size']!r:.40}, and the options say {start.size}.")
    position = replace(
        start,
        tiles=_tiles(start.size, data["rows"]),
        turn=_count(data, "turn"),
        quiet_turns=_count(data, "quiet_turns"),
    )
    if position.turn:
        return replace(position, troops=_troops(position, data["troops"]))
    if data["troops"] or position != start:
        raise BadData("Before turn 1 the island is whole, and no troop has landed.")
    return position


def read_options(given: Mapping[str, object]) -> Json:
    """All options with their defaults, checked. Raises BadData."""
    unknown = [name for name in given if name not in _OPTIONS]
    if unknown:
        raise BadData(f"Nelaxtam has no option “{unknown[0]!s:.40}”; it has {', '.join(_OPTIONS)}.")
    mode = str(given.get("mode", "wild")).strip().lower()
    if mode not in SIZES:
        raise BadData(f"The mode is wild or quiet, not “{mode:.40}”.")
    size = _number("size", given.get("size", 12))
    if size not in SIZES[mode]:
        allowed = ", ".join(str(size) for size in SIZES[mode])
        raise BadData(f"The size of a {mode} game is one of {allowed}, not {size}.")
    troops = _number("troops", given.get("troops", 5))
    if not 1 <= troops <= 5:
        raise BadData(f"Each side has 1 to 5 troops, not {troops}.")
    sea = _number("sea", given.get("sea", min(3, troops)))
    if not 0 <= sea <= troops:
        raise BadData(f"Of {troops} troops a side, 0 to {troops} land by sea, not {sea}.")
    return {"size": size, "troops": troops, "sea": sea, "mode": mode}


def _number(name: str, value: object) -> int:
    """A whole number, given as such or as typed text."""
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,4}\s*", value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise BadData(f"“{name}” is a whole number, not {value!r:.40}.")


def _count(data: Json, name: str) -> int:
    value = data[name]
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadData(f"“{name}” counts turns from 0, so it cannot be {value!r:.40}.")
    return value


def _tiles(size: int, rows: object) -> int:
    """The set of tiles that the rows, from the top rank down, show."""
    if not isinstance(rows, list) or [len(row) if isinstance(row, str) else 0 for row in rows] != [size] * size:
        raise BadData(f"“rows” are {size} texts of {size} characters each.")
    land = island(size)
    tiles = 0
    for square, sign in enumerate("".join(reversed(rows))):
        own = "x" if land.tiles[1] >> square & 1 else "o"
        if sign not in (own, "."):
            raise BadData(f"On {land.board.names[square]} there is “{own}” or “.”, not “{sign}”.")
        tiles |= (sign == own) << square
    return tiles


def _troops(position: Position, data: object) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if not isinstance(data, dict):
        raise BadData("“troops” is an object of troops and their squares.")
    known = [troop for side in TROOPS for troop in side[: position.army]]
    unknown = [troop for troop in data if troop not in known]
    if unknown:
        raise BadData(f"There is no troop “{unknown[0]!s:.40}”; each side has {position.army}.")
    return _side(position, 0, data), _side(position, 1, data)


def _side(position: Position, seat: int, places: Mapping[str, object]) -> tuple[int, ...]:
    """The squares of one side's troops, DEAD for those that are not named."""
    names = TROOPS[seat][: position.army]
    troops = tuple(
        _square(position, seat, troop, places[troop]) if troop in places else DEAD for troop in names
    )
    alive = [square for square in troops if square != DEAD]
    if len(set(alive)) < len(alive):
        raise BadData(f"Two troops of {SEATS[seat]} stand on one tile.")
    return troops


def _square(position: Position, seat: int, troop: str, name: object) -> int:
    land = island(position.size)
    if not isinstance(name, str) or name not in land.board.index:
        raise BadData(f"Troop {troop} stands on a square of the board, not on {name!r:.40}.")
    square = land.board.index[name]
    if not position.tiles & land.tiles[seat] & 1 << square:
        raise BadData(f"Troop {troop} on {name} does not stand on a tile of {SEATS[seat]}.")
    return square

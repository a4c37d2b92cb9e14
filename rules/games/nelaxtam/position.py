"""Positions of Nelaxtam, and their JSON form, which the rules page describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.errors import BadData
from rules.game import Json
from rules.games.nelaxtam.board import DEAD, island, ways_to
from rules.reading import need, texts, whole
from rules.sentences import quoted

SEATS = ("O", "X")
TROOPS = ("12345", "ABCDE")
"""The troops of each seat."""
KEYS = ("size", "rows", "troops", "turn", "quiet_turns")
_COUNT = "“{key}” counts turns from 0, so it cannot be {!r:.40}."


@dataclass(frozen=True, slots=True)
class Position:
    """A position between two turns.

    Each side has `army` troops, of which at least `sea` land on the edge; `quiet` means that one troop per side
    acts. `tiles` is the set of tiles left. `troops` holds, by seat and troop, the square or DEAD; two empty
    tuples before the invasion, when `turn` is 0 and no tile is missing. Each living troop is alone on a tile of
    its own colour. `agreed` means that both sides ordered `end` in the last turn.
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
    """Return the living troops of a seat with the numbers of their squares, for example `{"1": 0, "3": 13}`."""
    pairs = zip(TROOPS[seat], position.troops[seat], strict=False)
    return {troop: square for troop, square in pairs if square != DEAD}


def open_ways(position: Position, square: int) -> tuple[str, ...]:
    """Return the directions in which a troop on `square` can move or destroy: those with a tile."""
    return ways_to(position.size, square, position.tiles & island(position.size).around[square])


def tile_rows(position: Position) -> list[str]:
    """Return the tiles by ranks from the top: `x`, `o`, or `.` for a missing tile."""
    size, land = position.size, island(position.size)
    signs = "".join(
        "." if not position.tiles >> square & 1 else "ox"[land.tiles[1] >> square & 1]
        for square in range(size * size)
    )
    return [signs[rank * size : (rank + 1) * size] for rank in reversed(range(size))]


def write_position(position: Position) -> Json:
    """Return the position as any spectator may see it."""
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
    """Return the position that `write_position` wrote, in a game that began with `start`. Raises BadData."""
    need(data, KEYS, "A position of Nelaxtam needs “{}”.")
    if data["size"] != start.size:
        raise BadData(f"The position has size {data['size']!r:.40}, but the options have {start.size}.")
    position = replace(
        start,
        tiles=_tiles(start.size, data["rows"]),
        turn=whole(data["turn"], _COUNT, key="turn"),
        quiet_turns=whole(data["quiet_turns"], _COUNT, key="quiet_turns"),
    )
    if position.turn:
        return replace(position, troops=_troops(position, data["troops"]))
    if data["troops"] or position != start:
        raise BadData("Before turn 1 the island is complete, and no troop has landed.")
    return position


def _tiles(size: int, rows: object) -> int:
    """Return the set of tiles that the rows, from the top rank down, show."""
    ranks = texts(rows, [size] * size, f"“rows” are {size} texts of {size} characters each.")
    land = island(size)
    tiles = 0
    for square, sign in enumerate("".join(reversed(ranks))):
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
        raise BadData(f"There is no troop {quoted(str(unknown[0]))}; each side has {position.army}.")
    return _side(position, 0, data), _side(position, 1, data)


def _side(position: Position, seat: int, places: Mapping[str, object]) -> tuple[int, ...]:
    """Return the squares of one side's troops, DEAD for those that are not named."""
    names = TROOPS[seat][: position.army]
    troops = tuple(
        _square(position, seat, troop, places[troop]) if troop in places else DEAD for troop in names
    )
    alive = [square for square in troops if square != DEAD]
    if len(set(alive)) < len(alive):
        raise BadData(f"Two troops of {SEATS[seat]} are on one tile.")
    return troops


def _square(position: Position, seat: int, troop: str, name: object) -> int:
    land = island(position.size)
    if not isinstance(name, str) or name not in land.board.index:
        raise BadData(f"Troop {troop} must be on a square of the board, not on {name!r:.40}.")
    square = land.board.index[name]
    if not position.tiles & land.tiles[seat] & 1 << square:
        raise BadData(f"Troop {troop} on {name} is not on a tile of {SEATS[seat]}.")
    return square

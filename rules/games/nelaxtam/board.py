"""The island of Nelaxtam, the troops on it, and what their orders do.

Seat 0 is O with troops 1 to 5, seat 1 is X with troops A to E. Sets of squares are ints used as bit sets,
with bit i for square i of `square_board`. A diagonal step keeps the colour of the ground and a straight step
changes it, so one set holds the tiles of both sides and no rule has to ask for colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from rules.geometry.squares import DIRECTIONS, SquareBoard, square_board

SIDES = ("O", "X")
TROOPS = ("12345", "ABCDE")
DEAD = -1
STANDSTILL = 20
"""So many turns in a row without a tile removed end the game."""


class Orders(NamedTuple):
    """What one side writes for a turn: pairs of troop and direction, or of troop and square at the invasion.

    Sorted by troop; a troop without a pair holds. `end` offers to end the game, and then nothing is `given`.
    """

    given: tuple[tuple[str, str], ...] = ()
    end: bool = False


HOLD = Orders()
END = Orders(end=True)


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


@dataclass(frozen=True)
class Island:
    """What never changes on a board of one size.

    `tiles` and `squares` are the ground of each side, as a set and as ascending numbers; `around[i]` is the
    set of the squares beside square i, `not_first` and `not_last` hold all squares but those of the first or
    last file.
    """

    board: SquareBoard
    tiles: tuple[int, int]
    squares: tuple[tuple[int, ...], tuple[int, ...]]
    edge: frozenset[int]
    around: tuple[int, ...]
    not_first: int
    not_last: int


@cache
def island(size: int) -> Island:
    """The island of this size; the same object every time."""
    board = square_board(size)
    numbers = range(size * size)
    of_x = [number for number in numbers if (number % size + size - 1 - number // size) % 2 == 0]
    of_o = [number for number in numbers if number not in of_x]
    return Island(
        board=board,
        tiles=(bits_of(of_o), bits_of(of_x)),
        squares=(tuple(of_o), tuple(of_x)),
        edge=frozenset(number for number in numbers if len(board.steps[number]) < 8),
        around=tuple(bits_of(step.values()) for step in board.steps),
        not_first=bits_of(number for number in numbers if number % size),
        not_last=bits_of(number for number in numbers if (number + 1) % size),
    )


def bits_of(squares: Iterable[int]) -> int:
    """The set of these squares."""
    found = 0
    for square in squares:
        found |= 1 << square
    return found


def squares_of(bits: int) -> list[int]:
    """The squares of a set, ascending."""
    return [square for square in range(bits.bit_length()) if bits >> square & 1]


def connected(size: int, tiles: int, seeds: int) -> int:
    """The tiles that are joined to `seeds` by diagonal steps over `tiles`; `seeds` are among `tiles`."""
    land = island(size)
    while True:
        east, west = seeds & land.not_last, seeds & land.not_first
        steps = east << size + 1 | east >> size - 1 | west << size - 1 | west >> size + 1
        grown = seeds | steps & tiles
        if grown == seeds:
            return seeds
        seeds = grown


def controlled(size: int, tiles: int, troops: Sequence[Sequence[int]]) -> int:
    """The tiles in groups with a troop on them, both sides together."""
    return connected(size, tiles, bits_of([square for side in troops for square in side if square != DEAD]))


def touching(position: Position) -> bool:
    """Whether a tile of O lies next to a tile of X, so that somebody may destroy again one day."""
    size, land = position.size, island(position.size)
    ours = position.tiles & land.tiles[0]
    beside = ours << size | ours >> size | (ours & land.not_last) << 1 | (ours & land.not_first) >> 1
    return beside & position.tiles & land.tiles[1] != 0


def living(position: Position, seat: int) -> dict[str, int]:
    """The living troops of a seat with their squares."""
    pairs = zip(TROOPS[seat], position.troops[seat], strict=False)
    return {troop: square for troop, square in pairs if square != DEAD}


def tile_rows(position: Position) -> list[str]:
    """The tiles by ranks from the top: `x`, `o`, or `.` where there is none."""
    size, land = position.size, island(position.size)
    signs = "".join(
        "." if not position.tiles >> square & 1 else "ox"[land.tiles[1] >> square & 1]
        for square in range(size * size)
    )
    return [signs[rank * size : (rank + 1) * size] for rank in reversed(range(size))]


def landings(position: Position, seat: int) -> tuple[int, ...]:
    """The squares where a troop may land, whatever the others do."""
    land = island(position.size)
    if position.sea < position.army:
        return land.squares[seat]
    return tuple(square for square in land.squares[seat] if square in land.edge)


def open_ways(position: Position, square: int) -> tuple[str, ...]:
    """The directions in which a troop on `square` can move or destroy: those with a tile."""
    return _open_ways(position.size, square, position.tiles & island(position.size).around[square])


@cache
def _open_ways(size: int, square: int, around: int) -> tuple[str, ...]:
    steps = island(size).board.steps[square]
    return tuple(way for way in DIRECTIONS if way in steps and around >> steps[way] & 1)


def marched(position: Position, seat: int, orders: Orders) -> tuple[int, ...]:
    """Where the troops of a seat stand after their moves."""
    stand = list(position.troops[seat])
    steps = island(position.size).board.steps
    for troop, way in orders.given:
        if len(way) == 2:
            number = TROOPS[seat].index(troop)
            stand[number] = steps[stand[number]][way]
    return tuple(stand)


def struck(position: Position, seat: int, orders: Orders) -> list[int]:
    """The squares whose tiles the troops of a seat destroy, twice where two strike."""
    stand = position.troops[seat]
    steps = island(position.size).board.steps
    return [steps[stand[TROOPS[seat].index(troop)]][way] for troop, way in orders.given if len(way) == 1]


def clash(position: Position, seat: int, orders: Orders) -> tuple[str, str, int] | None:
    """Two troops of a seat that would end on one tile, and its square."""
    taken: dict[int, str] = {}
    for troop, square in zip(TROOPS[seat], marched(position, seat, orders), strict=False):
        if square in taken:
            return taken[square], troop, square
        if square != DEAD:
            taken[square] = troop
    return None


def landed(position: Position, orders: Mapping[int, Orders]) -> Position:
    """The position after the invasion."""
    index = island(position.size).board.index
    first, second = (tuple(index[square] for _, square in orders[seat].given) for seat in (0, 1))
    return replace(position, troops=(first, second), turn=1)


def resolved(position: Position, orders: Mapping[int, Orders]) -> Position:
    """The position after a turn: all moves at once, all destructions at once, then groups without a troop go.

    A seat without orders holds.
    """
    first, second = orders.get(0, HOLD), orders.get(1, HOLD)
    tiles = position.tiles & ~bits_of(struck(position, 0, first)) & ~bits_of(struck(position, 1, second))
    troops = (
        _survivors(tiles, marched(position, 0, first)),
        _survivors(tiles, marched(position, 1, second)),
    )
    tiles = controlled(position.size, tiles, troops)
    return replace(
        position,
        tiles=tiles,
        troops=troops,
        turn=position.turn + 1,
        quiet_turns=position.quiet_turns + 1 if tiles == position.tiles else 0,
        agreed=first.end and second.end,
    )


def _survivors(tiles: int, troops: Iterable[int]) -> tuple[int, ...]:
    return tuple([square if square != DEAD and tiles >> square & 1 else DEAD for square in troops])

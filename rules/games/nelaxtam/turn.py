"""Orders for a turn of Nelaxtam, and their simultaneous resolution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules.games.nelaxtam.board import DEAD, bits_of, controlled, island, touching
from rules.games.nelaxtam.position import TROOPS, Position
from rules.result import Result

STANDSTILL = 20
"""The game ends after this many turns in a row without a tile removed."""


class Orders(NamedTuple):
    """The orders of one side for a turn: pairs of troop and direction, or of troop and square at the invasion.

    Sorted by troop; a troop without a pair holds. `end` offers to end the game, and then nothing is `given`.
    """

    given: tuple[tuple[str, str], ...] = ()
    end: bool = False


HOLD = Orders()
END = Orders(end=True)


def invasion(position: Position, seat: int, squares: Sequence[int]) -> Orders:
    """Return the orders with which the troops of a seat land on these squares, in order."""
    names = island(position.size).board.names
    return Orders(tuple((troop, names[at]) for troop, at in zip(TROOPS[seat], squares, strict=False)))


def landings(position: Position, seat: int) -> tuple[int, ...]:
    """Return the squares where a troop may land, regardless of the other troops."""
    land = island(position.size)
    if position.sea < position.army:
        return land.squares[seat]
    return tuple(square for square in land.squares[seat] if square in land.edge)


def marched(position: Position, seat: int, orders: Orders) -> tuple[int, ...]:
    """Return the squares of a seat's troops after their moves."""
    stand = list(position.troops[seat])
    steps = island(position.size).board.steps
    for troop, way in orders.given:
        if len(way) == 2:
            number = TROOPS[seat].index(troop)
            stand[number] = steps[stand[number]][way]
    return tuple(stand)


def destroyed(position: Position, seat: int, orders: Orders) -> list[int]:
    """Return the squares whose tiles the troops of a seat destroy, twice if two destroy the same."""
    stand = position.troops[seat]
    steps = island(position.size).board.steps
    return [steps[stand[TROOPS[seat].index(troop)]][way] for troop, way in orders.given if len(way) == 1]


def clash(position: Position, seat: int, orders: Orders) -> tuple[str, str, int] | None:
    """Return two troops of a seat that would end on the same tile, and its square; None if none would."""
    taken: dict[int, str] = {}
    for troop, square in zip(TROOPS[seat], marched(position, seat, orders), strict=False):
        if square in taken:
            return taken[square], troop, square
        if square != DEAD:
            taken[square] = troop
    return None


def landed(position: Position, orders: Mapping[int, Orders]) -> Position:
    """Return the position after the invasion."""
    index = island(position.size).board.index
    first, second = (tuple(index[square] for _, square in orders[seat].given) for seat in (0, 1))
    return replace(position, troops=(first, second), turn=1)


def resolved(position: Position, orders: Mapping[int, Orders]) -> Position:
    """Return the position after a turn: first all moves, then all destructions, then groups without a troop go.

    A seat without orders holds.
    """
    first, second = orders.get(0, HOLD), orders.get(1, HOLD)
    tiles = position.tiles & ~bits_of(destroyed(position, 0, first)) & ~bits_of(destroyed(position, 1, second))
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


# The end of a game


def ended(size: int, tiles: int, *, agreed: bool, quiet_turns: int) -> str:
    """Return the reason why a game with these tiles is over; "" while it goes on."""
    if not touching(size, tiles):
        return "exhausted"
    if agreed:
        return "agreed-end"
    return "standstill" if quiet_turns >= STANDSTILL else ""


def counted(size: int, kept: int, reason: str) -> Result:
    """Return the result of a game that ends for `reason`, from the tiles that both sides control."""
    first, second = ((kept & ground).bit_count() for ground in island(size).tiles)
    if first == second:
        return Result((0, 1), reason, (first, second))
    return Result((0,) if first > second else (1,), reason, (first, second))

"""The three sorts of action of NEXUS: which of them a seat may take in its turn, and if it can act at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, Protocol

from rules.games.nexus.board import Action, Add, Board, Change, Walk, changes, free, reachable, walks
from rules.games.nexus.position import ACTIONS, SEATS
from rules.geometry.hexes import beside, bits_of

REPETITIONS: Final = 3
STANDSTILL: Final = 50
ADDED: Final = 3
"""The number of marbles that an addition takes from the reserve."""
CHANGED: Final = 4
"""The number of rings that a change takes away and puts down."""


class Order(Protocol):
    """The order of the seats in a game, with the last sort of action of each."""

    @property
    def last_actions(self) -> Sequence[str]:
        """The last sort of action by seat, "" for a seat that has not acted yet."""

    def before(self, seat: int) -> int:
        """Return the nearest seat before this one that is still in."""


def why_barred(order: Order, seat: int, action: str) -> str:
    """Return the reason why a seat may take no action of this sort in this turn; "" if it may."""
    if not order.last_actions[seat]:
        return "" if action == Add.name else "Your first action must be an add."
    if action != Change.name:
        return ""
    before = order.before(seat)
    if order.last_actions[before] == Change.name:
        return f"{SEATS[before]} has just changed rings, so you cannot change rings now."
    if order.last_actions[seat] == Change.name:
        return "Your own last action was a change of rings, so you cannot change rings again."
    return ""


def open_sorts(order: Order, seat: int) -> tuple[str, ...]:
    """Return the sorts of action that a seat may take now."""
    return tuple(sort for sort in ACTIONS if not why_barred(order, seat, sort))


def actions(board: Board, colour: str, reserve: int, sort: str) -> Iterator[Action]:
    """Yield all actions of one sort that the board allows, even if the seat may not take that sort now."""
    if sort == Walk.name:
        return walks(board, colour)
    if sort == Change.name:
        return changes(board)
    rings = reachable(board, colour) if reserve >= ADDED else []
    return map(Add, combinations(rings, ADDED))


def can_act(board: Board, colour: str, reserve: int, sorts: Sequence[str]) -> bool:
    """Return whether the board allows a move or an addition of one of these sorts."""
    if Walk.name in sorts and _can_walk_apart(board, colour):
        return True
    return any(
        sort in sorts and next(actions(board, colour, reserve, sort), None) is not None
        for sort in (Walk.name, Add.name)
    )


def _can_walk_apart(board: Board, colour: str) -> bool:
    """Return whether marbles on two rings can each step on an empty one: a quick answer for most positions."""
    empty = bits_of([ring for ring, marbles in board.items() if not marbles])
    starts = bits_of(free(board, colour)) & beside(empty)
    return bool(starts & starts - 1)

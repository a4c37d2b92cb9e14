"""The actions of a seat of NEXUS in its turn: the sorts that it may take, and whether it can act at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, Protocol

from rules.games.nexus.board import Action, Add, Board, Change, Walk, changes, reachable, walks
from rules.games.nexus.position import ACTIONS, SEATS

REPETITIONS: Final = 3
STANDSTILL: Final = 50
ADDED: Final = 3
"""The number of marbles that an addition takes from the reserve."""


class Order(Protocol):
    """The seats in turn, with the last action of each."""

    @property
    def last_actions(self) -> Sequence[str]:
        """The last sort of action by seat, "" for a seat that has not acted yet."""

    def before(self, seat: int) -> int:
        """Return the nearest seat before this one that is still in."""


def why_barred(order: Order, seat: int, action: str) -> str:
    """Return why a seat may not take an action of this sort now, anywhere on the board; "" if it may."""
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
    """Yield all actions of one sort, allowed in this turn or not."""
    if sort == Walk.name:
        return walks(board, colour)
    if sort == Change.name:
        return changes(board)
    rings = reachable(board, colour) if reserve >= ADDED else []
    return map(Add, combinations(rings, ADDED))


def can_act(board: Board, colour: str, reserve: int, sorts: Sequence[str]) -> bool:
    """Return whether a move or an addition is possible, among these sorts."""
    return any(
        sort in sorts and next(actions(board, colour, reserve, sort), None) is not None
        for sort in (Walk.name, Add.name)
    )

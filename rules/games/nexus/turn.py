"""A complete turn of NEXUS: the action, then the removal of marbles that it has surrounded.

Boards and colours are as in `board`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from rules.games.nexus.board import Action, Add, Board, Change, after_add, after_change, take_step
from rules.geometry.bits import numbers_in
from rules.geometry.hexes import beside, bits_of, reached


class Loss(NamedTuple):
    """One marble to be removed, with the letter of its colour only if two colours on the ring lose some."""

    ring: int
    colour: str = ""


@dataclass(frozen=True)
class Move:
    """A turn: the action, and the surrounded marbles to remove, sorted; () for the default ones."""

    action: Action
    remove: tuple[Loss, ...] = ()


@dataclass(frozen=True)
class TurnOutcome:
    """The outcome of a turn: the board, and the marbles deleted by blocking and by surrounding, by ring.

    `blocked` holds rings with the letters deleted there; every one in `removed` names its colour.
    """

    board: Board
    blocked: tuple[tuple[int, str], ...]
    removed: tuple[Loss, ...]

    @property
    def deleted(self) -> int:
        """The total number of deleted marbles; the same number goes to the reserve."""
        return len(self.removed) + sum(len(letters) for _, letters in self.blocked)


def outcome(board: Board, colour: str, move: Move) -> TurnOutcome:
    """Return the outcome of a legal move on this board."""
    after, blocked = carry_out(board, colour, move.action)
    owed = debts(board, after, colour)
    losses = move.remove or default_losses(after, owed)
    removed = tuple(Loss(ring, letter or losing(after, owed, ring)[0]) for ring, letter in losses)
    for ring, letter in removed:
        after[ring] = after[ring].replace(letter, "", 1)
    return TurnOutcome(after, blocked, removed)


def carry_out(board: Board, colour: str, action: Action) -> tuple[Board, tuple[tuple[int, str], ...]]:
    """Return a new board after the action, and the marbles deleted by blocking; surrounding is judged after
    that.
    """
    if isinstance(action, Add):
        return after_add(board, colour, action.rings), ()
    if isinstance(action, Change):
        return after_change(board, action), ()
    blocked = []
    for step in action.steps:
        board, letters = take_step(board, colour, step)
        if letters:
            blocked.append((step.end, letters))
    return board, tuple(blocked)


class Debt(NamedTuple):
    """The number of marbles of a colour that a newly surrounded group of rings must lose."""

    group: frozenset[int]
    colour: str
    number: int


def surrounded(board: Board, colour: str) -> set[frozenset[int]]:
    """Return the surrounded groups: rings with only others' marbles whose neighbours all hold own marbles."""
    foreign = bits_of([ring for ring, marbles in board.items() if marbles and colour not in marbles])
    empty = bits_of([ring for ring, marbles in board.items() if not marbles])
    closed = foreign & ~reached(foreign & beside(empty), foreign)
    found = set()
    while closed:
        group = reached(closed & -closed, closed)
        closed ^= group
        if beside(group) & bits_of(board) & ~group:
            found.add(frozenset(numbers_in(group)))
    return found


def debts(before: Board, after: Board, colour: str) -> list[Debt]:
    """Return the marbles that newly surrounded groups must lose: half of each colour, rounded down."""
    groups = surrounded(after, colour)
    if groups:
        groups -= surrounded(before, colour)
    owed = []
    for group in sorted(groups, key=min):
        counts = Counter("".join(after[ring] for ring in group))
        owed += [Debt(group, other, count // 2) for other, count in sorted(counts.items()) if count > 1]
    return owed


def losing(board: Board, owed: Iterable[Debt], ring: int) -> list[str]:
    """Return the colours of which a marble on this ring may be removed."""
    return [debt.colour for debt in owed if ring in debt.group and debt.colour in board[ring]]


def default_losses(board: Board, owed: Iterable[Debt]) -> tuple[Loss, ...]:
    """Return the marbles removed if the player does not choose: from the fullest ring of each colour."""
    going = []
    for debt in owed:
        counts = {ring: board[ring].count(debt.colour) for ring in sorted(debt.group)}
        for _ in range(debt.number):
            fullest = max(counts, key=counts.__getitem__)
            counts[fullest] -= 1
            going.append(Loss(fullest, debt.colour))
    return spelled(board, owed, going)


def spelled(board: Board, owed: Iterable[Debt], losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Return removed marbles as canonical text has them: sorted, with the colour only where it is needed."""
    return tuple(
        sorted(loss if len(losing(board, owed, loss.ring)) > 1 else Loss(loss.ring) for loss in losses)
    )


def random_losses(board: Board, owed: Iterable[Debt], below: Callable[[int], int]) -> tuple[Loss, ...]:
    """Return random marbles that may be removed; `below(n)` draws from 0 to n - 1."""
    going = []
    for debt in owed:
        marbles = [ring for ring in sorted(debt.group) for _ in range(board[ring].count(debt.colour))]
        going += [Loss(marbles.pop(below(len(marbles))), debt.colour) for _ in range(debt.number)]
    return spelled(board, owed, going)

"""Random actions of NEXUS, fast; every legal one is possible. `below(n)` draws from 0 to n - 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.games.nexus.board import (
    Action,
    Add,
    Board,
    Change,
    Step,
    Walk,
    can_leave_two,
    ends,
    fits,
    free,
    reachable,
    spots_in,
    take_step,
    undoes,
    walks,
)
from rules.games.nexus.turn import Move, carry_out, debts, default_losses, random_losses
from rules.geometry.bits import nth
from rules.geometry.hexes import bits_of

WEIGHTED = (Walk.name, Walk.name, Walk.name, Add.name, Add.name, Change.name)

TRIES = 8
"""The number of random actions to try that may be impossible, before giving up or taking the first."""

Below = Callable[[int], int]


def random_move(board: Board, colour: str, reserve: int, sorts: Sequence[str], below: Below) -> Move:
    """Return a random legal move of these sorts, one of which is possible; one in four also has random
    removals.
    """
    action = random_action(board, colour, reserve, sorts, below)
    if below(4):
        return Move(action)
    after, _ = carry_out(board, colour, action)
    owed = debts(board, after, colour)
    remove = random_losses(after, owed, below)
    return Move(action, () if remove == default_losses(after, owed) else remove)


def random_action(board: Board, colour: str, reserve: int, sorts: Sequence[str], below: Below) -> Action:
    """Return a move half of the time, an addition a third of it, otherwise a change of rings, if the sorts
    allow.

    A move or an addition must be possible.
    """
    for sort in (WEIGHTED[below(len(WEIGHTED))], Walk.name, Add.name):
        action: Action | None = None
        if sort == Walk.name and sort in sorts:
            action = random_walk(board, colour, below)
        elif sort == Add.name and reserve >= 3:
            action = random_add(board, colour, below)
        elif sort == Change.name and sort in sorts:
            action = random_change(board, below)
        if action:
            return action
    raise ValueError("a seat to move can always add or move")


def random_add(board: Board, colour: str, below: Below) -> Add | None:
    """Return a random way to add three marbles, None if there is none; ignores the reserve."""
    rings = reachable(board, colour)
    if len(rings) < 3:
        return None
    return Add(tuple(sorted(rings.pop(below(len(rings))) for _ in range(3))))


def random_walk(board: Board, colour: str, below: Below) -> Walk | None:
    """Return a random pair of steps, one in four with a sacrifice; None if there is none."""
    for _ in range(TRIES):
        sacrifice = below(8)
        first = _random_step(board, colour, below, sacrifice == 0)
        if not first:
            continue
        between, deleted = take_step(board, colour, first)
        second = _random_step(between, colour, below, sacrifice == 1)
        if second and not undoes(second, first, deleted):
            return Walk((first, second))
    return next(walks(board, colour), None)


def _random_step(board: Board, colour: str, below: Below, sacrifice: bool) -> Step | None:
    starts = free(board, colour)
    if not starts:
        return None
    start = starts[below(len(starts))]
    if not sacrifice:
        found = ends(board, colour, start)
        return Step(start, found[below(len(found))]) if found else None
    given = starts[below(len(starts))]
    step = Step(start, list(board)[below(len(board))], given)
    possible = start != step.end and can_leave_two(board, given, start) and fits(board, colour, step)
    return step if possible else None


def random_change(board: Board, below: Below) -> Change | None:
    """Return a random change of rings; None without four empty rings, or if the random places do not fit."""
    empty = [ring for ring, marbles in board.items() if not marbles]
    if len(empty) < 4:
        return None
    before = bits_of(board)
    for _ in range(TRIES):
        left = empty.copy()
        taken = tuple(left.pop(below(len(left))) for _ in range(4))
        rings = before ^ bits_of(taken)
        put: list[int] = []
        while len(put) < 4 and (found := spots_in(rings, before)):
            put.append(nth(found, below(found.bit_count())))
            rings |= 1 << put[-1]
        if len(put) == 4:
            return Change(taken, tuple(put))
    return None

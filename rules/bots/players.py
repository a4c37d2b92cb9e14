"""Computer players of five levels: their choice of moves, and their estimate of positions."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from rules.bots.proof import proven
from rules.bots.thinking import Budget, Clock, Considered, Meter, Thought
from rules.bots.tree import Tree
from rules.game import Rules
from rules.strengths import Strength

P = TypeVar("P")
M = TypeVar("M")

_FINE = 1000
"""The number of parts in which the probability of a slip is drawn."""


def think(
    rules: Rules[P, M],
    position: P,
    seat: int,
    seats: int,
    strength: Strength,
    below: Callable[[int], int],
    *,
    seconds: float | None = None,
    clock: Clock = time.monotonic,
) -> Thought[M]:
    """Return the legal move that a computer player of this level makes, and its thoughts on other moves.

    `seats` is the number of players, `below(n)` draws from 0 to n-1. It thinks for `seconds` at most, if given.
    It sees only the position: it does not know secret orders of others.
    """
    if below(_FINE) < strength.slips * _FINE:
        return Thought(rules.sample(position, seat, below))
    meter = Meter(Budget(strength.nodes, seconds), clock)
    if strength.proves and seats == 2:
        first = Meter(Budget(strength.proves, None if seconds is None else seconds / 2), clock)
        known = _solved(rules, position, seat) or proven(rules, position, seat, first)
        if known is not None:
            return Thought(known.move, (known,), known.visits, is_sure=True)
    tree = Tree(rules, position, seats, below)
    tree.search(meter)
    return tree.thought(seat)


def estimate(
    rules: Rules[P, M], position: P, seats: int, below: Callable[[int], int], budget: Budget
) -> tuple[float, ...]:
    """Return each seat's expected share of the win; they add up to about 1. The game must not be over.

    If dice are rolled before the move, it is the average over all rolls.
    """
    tree = Tree(rules, position, seats, below)
    tree.search(Meter(budget))
    return tree.values()


def _solved(rules: Rules[P, M], position: P, seat: int) -> Considered[M] | None:
    """Return the best move that the rules themselves know, with its value."""
    move = rules.solved(position, seat)
    if move is None:
        return None
    after = rules.play(position, {seat: move})
    result = rules.result(after)
    if result is not None:
        return Considered(move, 1, 1 / len(result.winners) if seat in result.winners else 0.0)
    values = rules.evaluate(after)
    return Considered(move, 1, 0.5 if values is None else values[seat])

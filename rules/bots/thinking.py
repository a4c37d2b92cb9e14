"""Budgets of computer players, the moves that they look at, and the results of their searches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from rules.game import Rules

P = TypeVar("P")
M = TypeVar("M")

Clock = Callable[[], float]

MOST_WEIGHED = 20
"""The most moves from which a computer player that errs chooses."""
_MOST_IN_VAIN = 20
"""After this many draws in a row without a new move, a search assumes that there is none."""
_LATER = 1e-4
"""The decrease in the value of an end for each turn until then, so that the quicker of two wins is
preferred.
"""
_DOUBT = 0.01
"""The weight of equal shares in an estimate, so that a certain win is worth more than any estimate."""
_LATEST = 0.4 * _DOUBT
"""The largest decrease in the value of an end. With two seats the highest estimate is 1 - `_DOUBT` / 2, so this
must be less than `_DOUBT` / 2.
"""


@dataclass(frozen=True)
class Budget:
    """A limit on a search: positions, seconds on the clock, or seconds of the processor, whichever comes first.

    With `nodes` alone, the same draws give the same result on every machine.
    """

    nodes: int | None = None
    seconds: float | None = None
    work: float | None = None
    """Seconds of processor time."""

    def __post_init__(self) -> None:
        if self.nodes is None and self.seconds is None and self.work is None:
            raise ValueError("a budget needs nodes or seconds")


class Meter:
    """The rest of a budget while a search runs; without a budget, nothing remains."""

    def __init__(
        self,
        budget: Budget | None = None,
        clock: Clock = time.monotonic,
        work_clock: Clock = time.process_time,
    ) -> None:
        budget = budget or Budget(nodes=0)
        self._nodes, self._clock, self._work_clock = budget.nodes, clock, work_clock
        self._end = None if budget.seconds is None else clock() + budget.seconds
        self._work_end = None if budget.work is None else work_clock() + budget.work
        self.spent = 0
        """The number of positions searched so far."""

    def spend(self, nodes: int = 1) -> None:
        """Count more searched positions."""
        self.spent += nodes

    @property
    def is_empty(self) -> bool:
        """True if the search must end."""
        if self._nodes is not None and self.spent >= self._nodes:
            return True
        if self._end is not None and self._clock() >= self._end:
            return True
        return self._work_end is not None and self._work_clock() >= self._work_end


@dataclass(frozen=True)
class Considered(Generic[M]):
    """A move that a search considered: how often, and the chance to win that it found for its seat."""

    move: M
    visits: int
    value: float
    reply: M | None = None
    """The best reply of the next player, if it was searched."""


@dataclass(frozen=True)
class Thought(Generic[M]):
    """The move that a search has chosen, and all moves that it considered, the most frequent first."""

    move: M
    considered: tuple[Considered[M], ...] = ()
    nodes: int = 0
    """The number of positions searched."""
    is_sure: bool = False
    """True if it is certain that no move is better; then no other move was considered."""
    excess: float = 0.0
    """The average by which the values of moves visited at most once are too high, as no reply was searched."""


def distinct_moves(
    rules: Rules[P, M], position: P, seat: int, listed: int, below: Callable[[int], int]
) -> Iterator[M]:
    """Yield the moves of a seat, each once, in random order: as drawn if there are more than `listed`."""
    moves = list(islice(rules.candidates(position, seat), listed + 1))
    if len(moves) <= listed:
        while moves:
            yield moves.pop(below(len(moves)))
        return
    seen: set[M] = set()
    in_vain = 0
    while in_vain < _MOST_IN_VAIN:
        move = rules.promising(position, seat, below)
        in_vain = in_vain + 1 if move in seen else 0
        if not in_vain:
            seen.add(move)
            yield move


def estimated(rules: Rules[P, M], position: P, seats: int) -> Sequence[float] | None:
    """Return each seat's chance to win as the rules estimate it, a little nearer to equal chances.

    None if the rules have no estimate.
    """
    values = rules.evaluate(position)
    return None if values is None else [value + _DOUBT * (1 / seats - value) for value in values]


def ended(winners: Sequence[int], seats: int, depth: int) -> Sequence[float]:
    """Return the value of an end `depth` turns from now: the later, the less winners get and others lose.

    All ends after 40 turns or more have the same value.
    """
    if not winners:
        return [1 / seats] * seats
    share, later = 1 / len(winners), min(_LATER * depth, _LATEST)
    return [share - later if seat in winners else later for seat in range(seats)]

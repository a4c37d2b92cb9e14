"""The budget of a computer player, and the results of its thinking."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

M = TypeVar("M")

Clock = Callable[[], float]


@dataclass(frozen=True)
class Budget:
    """A limit on thinking: positions, seconds on the clock, or seconds of the processor, whichever comes first.

    With `nodes` alone, the same draws give the same thought on every machine.
    """

    nodes: int | None = None
    seconds: float | None = None
    work: float | None = None
    """Seconds of processor time."""

    def __post_init__(self) -> None:
        if self.nodes is None and self.seconds is None and self.work is None:
            raise ValueError("a budget needs nodes or seconds")


class Meter:
    """The remaining part of a budget from now on; without a budget, nothing remains."""

    def __init__(self, budget: Budget | None = None, clock: Clock = time.monotonic) -> None:
        budget = budget or Budget(nodes=0)
        self._nodes, self._clock = budget.nodes, clock
        self._end = None if budget.seconds is None else clock() + budget.seconds
        self._work_end = None if budget.work is None else time.process_time() + budget.work
        self.spent = 0
        """The number of positions searched so far."""

    def spend(self) -> None:
        """Count one more position."""
        self.spent += 1

    @property
    def is_empty(self) -> bool:
        """True if thinking must end."""
        if self._nodes is not None and self.spent >= self._nodes:
            return True
        if self._end is not None and self._clock() >= self._end:
            return True
        return self._work_end is not None and time.process_time() >= self._work_end


@dataclass(frozen=True)
class Considered(Generic[M]):
    """A move that was considered: how often, and the share of the win found for the seat that makes it."""

    move: M
    visits: int
    value: float
    reply: M | None = None
    """The best reply of the next player, if it was searched."""


@dataclass(frozen=True)
class Thought(Generic[M]):
    """The chosen move, and all moves considered, the one searched most first."""

    move: M
    considered: tuple[Considered[M], ...] = ()
    nodes: int = 0
    """The number of positions searched."""
    is_sure: bool = False
    """True if it is certain that no move is better; then no other move was considered."""

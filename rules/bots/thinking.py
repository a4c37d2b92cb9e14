"""How much a computer player may think, and what it came to think."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

M = TypeVar("M")

Clock = Callable[[], float]


@dataclass(frozen=True)
class Budget:
    """An end to thinking: after so many positions looked at, or after so many seconds, whatever comes first.

    Under `nodes` alone the same draws give the same thought on every machine.
    """

    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.nodes is None and self.seconds is None:
            raise ValueError("a budget needs nodes or seconds")


class Meter:
    """What is left of a budget from now on; without one, nothing."""

    def __init__(self, budget: Budget | None = None, clock: Clock = time.monotonic) -> None:
        budget = budget or Budget(nodes=0)
        self._nodes, self._clock = budget.nodes, clock
        self._end = None if budget.seconds is None else clock() + budget.seconds
        self.spent = 0
        """Positions looked at so far."""

    def spend(self) -> None:
        """Note that one more position was looked at."""
        self.spent += 1

    @property
    def is_empty(self) -> bool:
        """Whether thinking has to end."""
        if self._nodes is not None and self.spent >= self._nodes:
            return True
        return self._end is not None and self._clock() >= self._end


@dataclass(frozen=True)
class Considered(Generic[M]):
    """A move that was looked at: how often, and which share of the win was found for who makes it."""

    move: M
    visits: int
    value: float
    reply: M | None = None
    """What the next player would best answer, as far as that was looked at."""


@dataclass(frozen=True)
class Thought(Generic[M]):
    """The move chosen, and all that were considered, the one most looked at first."""

    move: M
    considered: tuple[Considered[M], ...] = ()
    nodes: int = 0
    """Positions looked at."""
    is_sure: bool = False
    """Whether none is better, for sure; then no other move was considered."""

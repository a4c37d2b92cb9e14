"""Random play, the same for every kind: for computer opponents, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rules.driver import begin, forced_step, play
from rules.game import Kind, Step

P = TypeVar("P")
M = TypeVar("M")


def random_step(kind: Kind[P, M], position: P, below: Callable[[int], int]) -> Step[P, M]:
    """One turn of a game that is not over: dice, the pass if it is forced, else a sample move of every seat.

    `below(n)` draws from 0 to n-1.
    """
    position, dice = begin(kind, position, lambda count: [1 + below(6) for _ in range(count)])
    step = forced_step(kind, position, dice)
    if step is not None:
        return step
    moves = {seat: kind.sample(position, seat, below) for seat in kind.to_move(position)}
    return play(kind, position, moves, dice)

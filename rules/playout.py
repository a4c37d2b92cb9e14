"""Random play, the same for every kind: for computer opponents, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rules.game import Kind, Step

P = TypeVar("P")
M = TypeVar("M")


def random_step(kind: Kind[P, M], position: P, below: Callable[[int], int]) -> Step[P, M]:
    """One turn of a game that is not over: dice, the pass if it is forced, else a sample move of every seat.

    `below(n)` draws from 0 to n-1.
    """
    dice = kind.dice(position)
    if dice:
        position = kind.roll(position, [1 + below(6) for _ in range(dice)])
    seats = kind.to_move(position)
    forced = kind.forced(position)
    moves = {seats[0]: forced} if forced is not None else {s: kind.sample(position, s, below) for s in seats}
    return Step(position, moves, kind.play(position, moves))

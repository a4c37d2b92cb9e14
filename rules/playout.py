"""Random play, the same for every game: for computer players, benchmarks and tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rules.driver import begin, forced_step, play
from rules.game import Rules, Step
from rules.result import Result

P = TypeVar("P")
M = TypeVar("M")

LONGEST = 1000
"""The most turns of a random game; few have 500."""


def play_out(
    rules: Rules[P, M], position: P, below: Callable[[int], int], most: int = LONGEST
) -> tuple[Result | None, int]:
    """Play a random game from here; return its result and its number of turns, or None after `most` turns.

    `below(n)` draws from 0 to n-1. The result is that of `play_turns`; some rules have a faster way.
    """
    result = rules.result(position)
    if result is not None:
        return result, 0
    return rules.playout(position, below, most) or play_turns(rules, position, below, most)


def play_turns(
    rules: Rules[P, M], position: P, below: Callable[[int], int], most: int = LONGEST
) -> tuple[Result | None, int]:
    """Play a random game as `play_out` does, always turn by turn."""
    for turn in range(most):
        result = rules.result(position)
        if result is not None:
            return result, turn
        position = random_step(rules, position, below).after
    return rules.result(position), most


def random_step(rules: Rules[P, M], position: P, below: Callable[[int], int]) -> Step[P, M]:
    """Play one turn of a game that is not over: dice, the pass if it is forced, else a random move of every
    seat.

    `below(n)` draws from 0 to n-1.
    """
    position, dice = begin(rules, position, lambda count: [1 + below(6) for _ in range(count)])
    step = forced_step(rules, position, dice)
    if step is not None:
        return step
    moves = {seat: rules.sample(position, seat, below) for seat in rules.to_move(position)}
    return play(rules, position, moves, dice)

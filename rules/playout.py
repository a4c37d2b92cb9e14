"""Random games, played in the same way for every game type: for computer players, benchmarks and tests."""

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
    """Play a random game from this position; return its result and its number of turns.

    The result is None if it is not over after `most` turns. `below(n)` draws from 0 to n-1. The game is the
    same as that of `play_turns`; some rules play it faster.
    """
    result = rules.result(position)
    if result is not None:
        return result, 0
    return rules.playout(position, below, most) or play_turns(rules, position, below, most)


def play_turns(
    rules: Rules[P, M], position: P, below: Callable[[int], int], most: int = LONGEST
) -> tuple[Result | None, int]:
    """Play the same random game as `play_out`, always turn by turn."""
    for turn in range(most):
        result = rules.result(position)
        if result is not None:
            return result, turn
        position = random_step(rules, position, below).after
    return rules.result(position), most


def random_step(rules: Rules[P, M], position: P, below: Callable[[int], int]) -> Step[P, M]:
    """Play one random turn of a game that is not over, with its dice and, if it is forced, a pass.

    `below(n)` draws from 0 to n-1.
    """
    position, dice = begin(rules, position, lambda count: [1 + below(6) for _ in range(count)])
    step = forced_step(rules, position, dice)
    if step is not None:
        return step
    moves = {seat: rules.sample(position, seat, below) for seat in rules.to_move(position)}
    return play(rules, position, moves, dice)

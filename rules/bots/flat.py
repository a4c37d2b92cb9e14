"""A computer player for every game: it knows no rules, and plays many random games to the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import cycle, islice
from typing import TypeVar

from rules.game import Rules
from rules.playout import random_step

P = TypeVar("P")
M = TypeVar("M")

CANDIDATES = 12
SECONDS = 1.0
DEPTH = 1000
"""The most turns of a random game in its search; random games rarely have 500."""
LATER = 1e-5
"""The decrease in the value of a win for each turn that it takes, so that the quicker of two certain wins is
preferred.
"""


def choose(
    rules: Rules[P, M],
    position: P,
    seat: int,
    below: Callable[[int], int],
    *,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> M:
    """Return a legal move of `seat` that did well in random games played on from there.

    It thinks for `seconds` by the `clock`, then finishes the current random game; if there is only one move it
    does not think at all. `below(n)` draws from 0 to n-1. In simultaneous games the other seats are assumed to
    move at random.
    """
    end = clock() + seconds
    candidates = _candidates(rules, position, seat, below)
    if len(candidates) == 1:
        return candidates[0]
    points = [0.0] * len(candidates)
    games = [0] * len(candidates)
    for number in cycle(range(len(candidates))):
        if clock() >= end:
            break
        points[number] += _playout(rules, position, seat, candidates[number], below)
        games[number] += 1
    best = max(range(len(candidates)), key=lambda number: points[number] / max(games[number], 1))
    return candidates[best]


def _candidates(rules: Rules[P, M], position: P, seat: int, below: Callable[[int], int]) -> list[M]:
    """Return some random legal moves, or all that are listed if those are few."""
    sampled = [rules.sample(position, seat, below) for _ in range(CANDIDATES)]
    listed = list(islice(rules.moves(position, seat), CANDIDATES + 1))
    return list(dict.fromkeys(sampled + listed if len(listed) <= CANDIDATES else sampled))


def _playout(rules: Rules[P, M], position: P, seat: int, move: M, below: Callable[[int], int]) -> float:
    """Return the share of the win that `seat` gets after `move` and a random game: about 1, 0 or part of a
    draw.
    """
    moves = {other: rules.sample(position, other, below) for other in rules.to_move(position) if other != seat}
    position = rules.play(position, {**moves, seat: move})
    for turn in range(DEPTH):
        result = rules.result(position)
        if result is not None:
            return 1 / len(result.winners) - turn * LATER if seat in result.winners else 0.0
        position = random_step(rules, position, below).after
    return 0.5

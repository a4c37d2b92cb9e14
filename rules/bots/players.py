"""Computer players of five levels: their choice of moves, and their estimate of positions."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from math import log
from statistics import pstdev
from typing import TypeVar

from rules.bots.lookahead import Lookahead, Sight
from rules.bots.proof import best_by_rules, proven
from rules.bots.thinking import MOST_WEIGHED, Budget, Clock, Meter, Thought
from rules.bots.tree import Manner, Tree
from rules.game import Rules
from rules.strengths import Strength

P = TypeVar("P")
M = TypeVar("M")

_LARGEST_SPREAD = 0.7
"""The largest standard deviation of values, in log-odds, to which errors are proportional. A larger one often
means that some moves win or lose immediately.
"""
_LEAST_CHANCE = 1e-4
"""Chances to win are kept this far from 0 and 1, so that their log-odds are finite."""
_LOOKS, _LOOKS_FOR_VALUE = 10, 5
"""The number of positions that a lookahead estimates for each position of a tree search: it takes as long. To
estimate a position, it does not have to compare moves.
"""


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
    """Return the legal move that a computer player of this level chooses, with the moves that it considered.

    `seats` is the number of players, `below(n)` draws from 0 to n-1. It thinks for `seconds` at most, if given.
    It sees only the position: it does not know secret orders of others.
    """
    end = None if seconds is None else clock() + seconds
    if strength.proves and seats == 2:
        first = Meter(Budget(strength.proves, None if seconds is None else seconds / 2), clock)
        known = best_by_rules(rules, position, seat) or proven(rules, position, seat, first)
        if known is not None:
            return Thought(known.move, (known,), known.visits, is_sure=True)
    left = None if end is None else max(end - clock(), 0.0)
    budget = Budget(None if strength.work else strength.nodes, left, strength.work)
    thought = searched(rules, position, seats, below, budget, clock).thought(seat)
    return _misjudged(thought, strength.error, below) if strength.error else thought


def estimate(
    rules: Rules[P, M], position: P, seats: int, below: Callable[[int], int], budget: Budget
) -> tuple[float, ...]:
    """Return each seat's chance to win, by a search; they add up to about 1. The game must not be over.

    If dice are rolled before the move, it is the average over all rolls.
    """
    return searched(rules, position, seats, below, budget, looks=_LOOKS_FOR_VALUE).values()


def searched(
    rules: Rules[P, M],
    position: P,
    seats: int,
    below: Callable[[int], int],
    budget: Budget,
    clock: Clock = time.monotonic,
    *,
    looks: int = _LOOKS,
) -> Tree[P, M] | Lookahead[P, M]:
    """Return the search of a position with this budget: a tree search or a lookahead, as suits the game.

    A lookahead estimates `looks` positions for each position of the budget.
    """
    if not rules.looks_ahead:
        manner = None if budget.nodes is None else Manner.for_nodes(budget.nodes)
        tree = Tree(rules, position, seats, below, manner)
        tree.search(Meter(budget, clock))
        return tree
    if budget.nodes is None:
        ahead = Lookahead(rules, position, seats, below)
    else:
        looks *= budget.nodes
        budget = replace(budget, nodes=looks)
        ahead = Lookahead(rules, position, seats, below, Sight.for_looks(looks))
    ahead.search(Meter(budget, clock))
    return ahead


def _misjudged(thought: Thought[M], error: float, below: Callable[[int], int]) -> Thought[M]:
    """Return the thought of a player that judges each move with a random error: the move that then looks best.

    `error` is the standard deviation, as a multiple of that of the values of the moves: these differ three
    times as much in some games as in others, and a level should be as strong in each. As the errors are in
    log-odds and limited, a certain win is rarely missed.
    """
    draws = random.Random(below(1 << 32))  # noqa: S311 - errors of a player, for speed
    weighed = thought.considered[:MOST_WEIGHED]
    values = [_log_odds(each.value - thought.excess * (each.visits <= 1)) for each in weighed]
    deviation = error * min(pstdev(values), _LARGEST_SPREAD)
    judged = [value + draws.gauss(0, deviation) for value in values]
    return replace(thought, move=weighed[judged.index(max(judged))].move)


def _log_odds(chance: float) -> float:
    bounded = min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
    return log(bounded / (1 - bounded))

"""Computer players for matches, each named by a text such as "3" (its level), "greedy" or "nodes=500"."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from rules.bots import flat
from rules.bots.players import searched, think
from rules.bots.thinking import Budget
from rules.bots.tree import Tree
from rules.game import Rules
from rules.sentences import quoted
from rules.strengths import LEVELS, NAMES, STRENGTHS, level_of

AnyRules = Rules[Any, Any]
Below = Callable[[int], int]

HOW_NAMED = (
    f"one of {', '.join(NAMES)}, or a level from {LEVELS[0]} to {LEVELS[-1]}; “random”, which makes random "
    "moves; “greedy”, which looks one move ahead; “nodes=500” or “seconds=0.5”, a search of that budget; "
    "“flat=1”, which plays random games for that many seconds"
)


class Chooser(Protocol):
    """A function that chooses a legal move for a seat in a position: a computer player."""

    def __call__(self, rules: AnyRules, position: Any, seat: int, seats: int, below: Below, /) -> Any: ...


@dataclass(frozen=True)
class OfStrength:
    """A computer player of one of the five levels.

    A level that is limited by time searches for `work` processor seconds per move, or `positions` positions if
    given; its proof is not limited by them.
    """

    level: int
    work: float | None = None
    positions: int | None = None

    def __call__(self, rules: AnyRules, position: Any, seat: int, seats: int, below: Below, /) -> Any:
        strength = STRENGTHS[self.level - 1].limited(self.work)
        if self.positions is not None and strength.work:
            strength = replace(strength, work=None, nodes=self.positions)
        return think(rules, position, seat, seats, strength, below).move


@dataclass(frozen=True)
class Searcher:
    """A computer player that searches with a given budget."""

    budget: Budget

    def __call__(self, rules: AnyRules, position: Any, seat: int, seats: int, below: Below, /) -> Any:
        return searched(rules, position, seats, below, self.budget).thought(seat).move


@dataclass(frozen=True)
class Flat:
    """A computer player that plays random games after some moves, for this many processor seconds per move."""

    seconds: float

    def __call__(self, rules: AnyRules, position: Any, seat: int, seats: int, below: Below, /) -> Any:
        return flat.choose(rules, position, seat, below, seconds=self.seconds, clock=time.process_time)


def at_random(rules: AnyRules, position: Any, seat: int, seats: int, below: Below, /) -> Any:
    """Return a random legal move."""
    return rules.sample(position, seat, below)


def greedy(rules: AnyRules, position: Any, seat: int, seats: int, below: Below, /) -> Any:
    """Return the move after which the rules' estimate is best for `seat`; a random one without an estimate."""
    return Tree(rules, position, seats, below).thought(seat).move


def read_chooser(text: str) -> Chooser:
    """Return the computer player that a text names. Raises ValueError with the possible texts."""
    word, _, number = text.strip().partition("=")
    level = level_of(text)
    if level is not None:
        return OfStrength(level)
    if text in ("random", "greedy"):
        return at_random if text == "random" else greedy
    amount = _amount(number)
    if word == "nodes" and amount is not None and amount >= 1:
        return Searcher(Budget(nodes=int(amount)))
    if word == "seconds" and amount is not None:
        return Searcher(Budget(seconds=amount))
    if word == "flat" and amount is not None:
        return Flat(amount)
    raise ValueError(f"There is no computer player {quoted(text)}. A player is {HOW_NAMED}.")


def _amount(number: str) -> float | None:
    """Return a positive number, None for any other text."""
    try:
        amount = float(number)
    except ValueError:
        return None
    return amount if 0 < amount < 1e6 else None

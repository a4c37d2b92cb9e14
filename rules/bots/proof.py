"""Exact search: if all possible continuations are few enough, it finds a move that is certainly best.

For games in which two seats move in turn and nothing is random.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Generic, TypeVar

from rules import driver
from rules.bots.thinking import Considered, Meter
from rules.game import Rules
from rules.result import Result

P = TypeVar("P")
M = TypeVar("M")

_MOST_MOVES = 16
"""A position with more moves probably cannot be searched completely."""
_DEEPEST = 200
"""The most turns to look ahead; a game that may go on for longer cannot be searched completely."""
_LOST, _WON = 0.0, 1.0


def proven(rules: Rules[P, M], position: P, seat: int, meter: Meter) -> Considered[M] | None:
    """Return a move of `seat` that is certainly a best one; None if the budget of `meter` is used up first.

    Also None if dice are rolled, if seats move simultaneously, and if there are more than two players.
    """
    few = list(islice(rules.candidates(position, seat), _MOST_MOVES + 1))
    if rules.simultaneous or len(few) > _MOST_MOVES:
        return None
    try:
        move, value = _Proof(rules, meter).best(position, seat)
    except _UnprovenError:
        return None
    return Considered(move, meter.spent, value)


def best_by_rules(rules: Rules[P, M], position: P, seat: int) -> Considered[M] | None:
    """Return the best move of `seat`, with its value, if the rules know the exact chances; otherwise None."""
    if rules.exact(position) is None:
        return None
    best: Considered[M] | None = None
    for move in rules.candidates(position, seat):
        chances = _ended(rules, after := rules.play(position, {seat: move})) or rules.exact(after)
        if chances is not None and (best is None or chances[seat] > best.value):
            best = Considered(move, 1, chances[seat])
    return best


def certain_chances(rules: Rules[P, M], position: P, meter: Meter) -> Sequence[float] | None:
    """Return the exact chances to win of two seats with perfect play; None if the budget is used up first.

    Also None for the other positions for which `proven` finds nothing.
    """
    while (known := _ended(rules, position) or rules.exact(position)) is None and not rules.dice(position):
        step = driver.forced_step(rules, position)
        if step is None:
            break
        position = step.after
    if known is not None or rules.simultaneous or rules.dice(position):
        return known
    (seat,) = rules.to_move(position)
    found = proven(rules, position, seat, meter)
    if found is None:
        return None
    return (found.value, 1 - found.value) if seat == 0 else (1 - found.value, found.value)


def _ended(rules: Rules[P, M], position: P) -> Sequence[float] | None:
    """Return the shares of two seats in the win; None if the game is not over."""
    result = rules.result(position)
    return None if result is None else [_share(result, seat) for seat in range(2)]


def _share(result: Result, seat: int) -> float:
    return 1 / len(result.winners) if seat in result.winners else _LOST


class _UnprovenError(Exception):
    """The search needs more positions than the meter allows, or more turns, or dice are rolled."""


class _Proof(Generic[P, M]):
    """The results for positions so far: the lower and upper bounds of the value for the seat to move."""

    def __init__(self, rules: Rules[P, M], meter: Meter) -> None:
        self._rules, self._meter = rules, meter
        self._bounds: dict[P, tuple[float, float]] = {}
        self._depth = 0

    def best(self, position: P, seat: int) -> tuple[M, float]:
        """Return the move with the highest value, and the value; of several wins, the first found."""
        chosen, most = None, -1.0
        for after, move in self._followers(position, seat):
            value = self._value(after, seat, max(most, _LOST), _WON)
            if value > most:
                chosen, most = move, value
            if most >= _WON:
                break
        if chosen is None:
            raise ValueError("the seat has no move in this position")
        return chosen, most

    def _value(self, position: P, seat: int, least: float, most: float) -> float:
        """Return the value of a position for a seat, as far as it lies between two bounds."""
        result = self._rules.result(position)
        if result is not None:
            return _share(result, seat)
        (mover,) = self._rules.to_move(position)
        if mover == seat:
            return self._moving(position, seat, least, most)
        return 1 - self._moving(position, mover, 1 - most, 1 - least)

    def _moving(self, position: P, mover: int, least: float, most: float) -> float:
        """Return the same value for the seat to move."""
        lower, upper = self._bounds.get(position, (_LOST, _WON))
        if lower >= most or lower == upper:
            return lower
        if upper <= least:
            return upper
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _UnprovenError
        value, least = _LOST, max(least, lower)
        for after, _ in self._followers(position, mover):
            value = max(value, self._value(after, mover, max(least, value), most))
            if value >= most:
                break
        self._depth -= 1
        self._bounds[position] = (
            value if value > least else lower,
            value if value < most else upper,
        )
        return value

    def _followers(self, position: P, seat: int) -> Sequence[tuple[P, M]]:
        """Return the positions that a seat can move to, the most promising first."""
        found = []
        for move in self._rules.candidates(position, seat):
            after = self._rules.play(position, {seat: move})
            self._meter.spend()
            if self._meter.is_empty or self._rules.dice(after):
                raise _UnprovenError
            while (step := driver.forced_step(self._rules, after)) is not None:
                after = step.after
            found.append((self._promise(after, seat), after, move))
        found.sort(key=lambda item: -item[0])
        return [(after, move) for _, after, move in found]

    def _promise(self, position: P, seat: int) -> float:
        result = self._rules.result(position)
        if result is not None:
            return 2.0 if seat in result.winners else -1.0
        values = self._rules.evaluate(position)
        return 0.5 if values is None else values[seat]

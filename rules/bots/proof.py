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
_LEAST_MORE = 10_000
"""After a proof, the search for the soonest win or the latest loss may examine this many more positions, or as
many as the proof needed, if that is more.
"""
_LOST, _WON = 0.0, 1.0


def proven(rules: Rules[P, M], position: P, seat: int, meter: Meter) -> Considered[M] | None:
    """Return a move of `seat` that is certainly a best one; None if the budget of `meter` is used up first.

    Of several winning moves it is the one that wins soonest, of losing ones the one that loses latest; forced
    passes are not counted. If this search exceeds the budget or its own limit (`_LEAST_MORE`), it is the best
    one found so far. Also None if dice are rolled, if seats move simultaneously, and if there are more than two
    players, or more than `_MOST_MOVES` moves.
    """
    if not _is_small(rules, position, seat):
        return None
    proof = _Proof(rules, meter)
    try:
        move, value = proof.best(position, seat)
    except _UnprovenError:
        return None
    proof.allow(max(meter.spent, _LEAST_MORE))
    if value == _WON:
        move = proof.soonest_win(position, seat, move)
    elif value == _LOST:
        move = proof.latest_loss(position, seat, move)
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
    if not _is_small(rules, position, seat):
        return None
    try:
        _, value = _Proof(rules, meter).best(position, seat)
    except _UnprovenError:
        return None
    return (value, 1 - value) if seat == 0 else (1 - value, value)


def _is_small(rules: Rules[P, M], position: P, seat: int) -> bool:
    """Return whether a position has few enough moves to be searched completely, and no simultaneous ones."""
    if rules.simultaneous:
        return False
    return len(list(islice(rules.candidates(position, seat), _MOST_MOVES + 1))) <= _MOST_MOVES


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
        self._most: int | None = None
        """The most positions that the meter may count."""
        self._bounds: dict[P, tuple[float, float]] = {}
        self._known: dict[P, Sequence[tuple[P, M]]] = {}
        """The followers of positions, which are needed again at each depth."""
        self._depth = 0
        self._within: dict[P, int] = {}
        """The turns within which a won position is won, as far as it is known."""
        self._beyond: dict[P, int] = {}
        """The turns within which it is not won."""

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

    def allow(self, nodes: int) -> None:
        """Limit the rest of the search to so many new positions."""
        self._most = self._meter.spent + nodes

    def soonest_win(self, position: P, seat: int, move: M) -> M:
        """Return the move that wins in the fewest turns; `move`, which wins too, if the budget is used up."""
        try:
            after_each = self._followers(position, seat)
            for turns in range(_DEEPEST):
                for after, sooner in after_each:
                    if self._is_won(after, seat, turns):
                        return sooner
        except _UnprovenError:
            pass
        return move

    def latest_loss(self, position: P, seat: int, move: M) -> M:
        """Return the move after which the other seat needs the most turns to win, at first `move`."""
        try:
            lasting = self._followers(position, seat)
            for turns in range(_DEEPEST):
                lasting = [each for each in lasting if not self._is_won(each[0], 1 - seat, turns)]
                if not lasting:
                    break
                _, move = lasting[0]
        except _UnprovenError:
            pass
        return move

    def _is_won(self, position: P, winner: int, turns: int) -> bool:
        """Return whether a seat can win within so many turns; all calls of a proof have the same `winner`."""
        result = self._rules.result(position)
        if result is not None:
            return result.winners == (winner,)
        if self._beyond.get(position, 0) >= turns:
            return False
        if self._within.get(position, _DEEPEST) <= turns:
            return True
        (mover,) = self._rules.to_move(position)
        lower, upper = self._bounds.get(position, (_LOST, _WON))
        if (upper < _WON) if mover == winner else (lower > _LOST):
            return False
        self._spend(0)
        if position not in self._known:
            self._known[position] = self._followers(position, mover)
        wins = (self._is_won(after, winner, turns - 1) for after, _ in self._known[position])
        found = any(wins) if mover == winner else all(wins)
        (self._within if found else self._beyond)[position] = turns
        return found

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
            self._spend()
            if self._rules.dice(after):
                raise _UnprovenError
            while (step := driver.forced_step(self._rules, after)) is not None:
                after = step.after
            found.append((self._promise(after, seat), after, move))
        found.sort(key=lambda item: -item[0])
        return [(after, move) for _, after, move in found]

    def _spend(self, nodes: int = 1) -> None:
        """Count more positions. Raises an error if the budget is used up."""
        self._meter.spend(nodes)
        if self._meter.is_empty or (self._most is not None and self._meter.spent > self._most):
            raise _UnprovenError

    def _promise(self, position: P, seat: int) -> float:
        result = self._rules.result(position)
        if result is not None:
            return 2.0 if seat in result.winners else -1.0
        values = self._rules.evaluate(position)
        return 0.5 if values is None else values[seat]

"""Monte-Carlo tree search over the contract of a kind: it knows no game.

A node is a position in which somebody decides. Every seat that decides there has arms, one for each move that
is looked at, and picks by UCB1 for itself alone: with one seat to move that is UCT; with more than two seats
each wants the most for itself (max^n); where several write secret orders at the same time, none knows what the
others pick (decoupled UCT). More moves are looked at the more often a node is visited (progressive widening).
Dice are drawn anew each time, and lead to a node for each throw. What a new position is worth the kind
estimates, or a random game played on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil, log, sqrt
from typing import Any, Generic, TypeVar

from rules import driver
from rules.bots.thinking import Considered, Meter, Thought
from rules.game import Kind
from rules.playout import random_step

P = TypeVar("P")
M = TypeVar("M")

Below = Callable[[int], int]
Values = Sequence[float]
"""The share of the win for each seat."""

_LATER = 1e-4
"""How much less an end is worth for each turn until it comes: enough to prefer the quicker of two wins."""
_LONGEST = 1000
"""The most turns of a random game."""
_MOST_LISTED = 200
"""Moves that are listed before some are drawn by lot instead."""
_MOST_IN_VAIN = 20
"""Draws that give nothing new, one after the other, before a move is taken to have been the last."""


@dataclass(frozen=True)
class Manner:
    """How a tree is searched."""

    exploration: float = 0.7
    """How much is given to moves that were seldom looked at."""
    width: float = 2.0
    """With `n` visits, so many times the root of `n` moves are looked at."""
    most_nodes: int = 50_000
    """Nodes that are kept; beyond them the tree no longer grows."""


class Tree(Generic[P, M]):
    """What was found out about a position and what may follow; `seats` is how many play."""

    def __init__(
        self, kind: Kind[P, M], position: P, seats: int, below: Below, manner: Manner | None = None
    ) -> None:
        self._kind, self._seats, self._below = kind, seats, below
        self._manner = manner or Manner()
        self._root: _Node[P, M] = _Node(position, kind.to_move(position), seats)
        self._nodes = 1

    def search(self, meter: Meter) -> None:
        """Look at positions until the meter is empty, or the only moves there are have been found."""
        while not meter.is_empty and not self._is_settled():
            self._descend(meter)

    def thought(self, seat: int) -> Thought[M]:
        """What `seat` best does at the root: the move that was looked at most."""
        arms = self._root.arms_of(seat)
        if not arms.moves:
            arms.widen(self._candidates(self._root.position, seat), 1)
        order = sorted(range(len(arms.moves)), key=lambda arm: (-arms.visits[arm], -arms.mean(arm)))
        considered = tuple(self._considered(arms, arm) for arm in order)
        return Thought(considered[0].move, considered, self._root.visits)

    def values(self) -> tuple[float, ...]:
        """The share of the win that each seat can expect at the root, as far as it was searched."""
        if not self._root.visits:
            return tuple(self._estimate(self._root.position, 0))
        return tuple(total / self._root.visits for total in self._root.totals)

    def _considered(self, arms: _Arms[M], arm: int) -> Considered[M]:
        return Considered(arms.moves[arm], arms.visits[arm], arms.mean(arm), self._reply(arm))

    def _reply(self, arm: int) -> M | None:
        child = self._root.children.get(((arm,), ()))
        if child is None or len(child.seats) != 1 or not child.arms:
            return None
        arms = child.arms[0]
        return arms.moves[max(range(len(arms.moves)), key=arms.visits.__getitem__)] if arms.moves else None

    def _is_settled(self) -> bool:
        return bool(self._root.arms) and all(
            arms.is_complete and len(arms.moves) == 1 for arms in self._root.arms
        )

    def _descend(self, meter: Meter) -> None:
        """Follow the most promising line to a new position, and note all along it what that is worth."""
        node, path = self._root, []
        while True:
            picks = tuple(self._pick(node, place) for place in range(len(node.seats)))
            path.append((node, picks))
            position, ahead = self._played(node, picks)
            key = picks, ahead
            child = node.children.get(key)
            if child is None:
                meter.spend()
                values = self._opened(node, key, position, len(path))
                break
            if child.values is not None:
                meter.spend()
                values = child.values
                break
            node = child
        for passed, picks in path:
            passed.note(picks, values)

    def _opened(self, node: _Node[P, M], key: Any, position: P, depth: int) -> Values:
        """Keep a new position, if there is room, and estimate it."""
        result = self._kind.result(position)
        ended = None if result is None else self._shares(result.winners, depth)
        if self._nodes < self._manner.most_nodes:
            seats = () if ended else self._kind.to_move(position)
            node.children[key] = _Node(position, seats, self._seats, ended)
            self._nodes += 1
        return ended or self._estimate(position, depth)

    def _pick(self, node: _Node[P, M], place: int) -> int:
        """The arm that a seat tries next."""
        if not node.arms:
            node.arms = [_Arms() for _ in node.seats]
        arms = node.arms[place]
        allowed = max(2, ceil(self._manner.width * sqrt(node.visits)))
        if len(arms.moves) < allowed and not arms.is_complete:
            if arms.source is None:
                arms.source = self._candidates(node.position, node.seats[place])
            if arms.widen(arms.source, len(arms.moves) + 1):
                return len(arms.moves) - 1
        return arms.best(node.visits, self._manner.exploration)

    def _played(self, node: _Node[P, M], picks: tuple[int, ...]) -> tuple[P, tuple[int, ...]]:
        """The next position in which somebody decides, or the game is over, and the dice rolled on the way."""
        moves = {
            seat: node.arms[place].moves[pick]
            for place, (seat, pick) in enumerate(zip(node.seats, picks, strict=True))
        }
        position = self._kind.play(node.position, moves)
        rolled: tuple[int, ...] = ()
        while True:
            position, dice = driver.begin(self._kind, position, self._roll)
            rolled += dice
            step = driver.forced_step(self._kind, position, dice)
            if step is None:
                return position, rolled
            position = step.after

    def _roll(self, count: int) -> Sequence[int]:
        return sorted(1 + self._below(6) for _ in range(count))

    def _candidates(self, position: P, seat: int) -> Iterator[M]:
        """The moves of a seat, each once: in the order of the kind, else all by lot, or endlessly many draws."""
        listed = list(islice(self._kind.moves(position, seat), _MOST_LISTED + 1))
        if len(listed) <= _MOST_LISTED:
            while listed:
                yield listed.pop(self._below(len(listed)))
            return
        seen: set[M] = set()
        in_vain = 0
        while in_vain < _MOST_IN_VAIN:
            move = self._kind.sample(position, seat, self._below)
            in_vain = in_vain + 1 if move in seen else 0
            if not in_vain:
                seen.add(move)
                yield move

    def _estimate(self, position: P, depth: int) -> Values:
        guess = self._kind.evaluate(position)
        if guess is not None:
            return guess
        for turn in range(depth, depth + _LONGEST):
            result = self._kind.result(position)
            if result is not None:
                return self._shares(result.winners, turn)
            position = random_step(self._kind, position, self._below).after
        return [1 / self._seats] * self._seats

    def _shares(self, winners: Sequence[int], depth: int) -> Values:
        """What an end is worth; it is worth less to its winners, and costs the others less, the later it is."""
        if not winners:
            return [1 / self._seats] * self._seats
        share, later = 1 / len(winners), _LATER * depth
        return [share - later if seat in winners else later for seat in range(self._seats)]


class _Arms(Generic[M]):
    """The moves of one seat that are looked at, how often, and what they brought that seat in all."""

    def __init__(self) -> None:
        self.moves: list[M] = []
        self.visits: list[int] = []
        self.totals: list[float] = []
        self.source: Iterator[M] | None = None
        self.is_complete = False

    def widen(self, source: Iterator[M], most: int) -> bool:
        """Look at further moves, up to so many in all; whether there was another."""
        before = len(self.moves)
        while len(self.moves) < most and not self.is_complete:
            move = next(source, None)
            if move is None:
                self.is_complete = True
                break
            self.moves.append(move)
            self.visits.append(0)
            self.totals.append(0.0)
        return len(self.moves) > before

    def mean(self, arm: int) -> float:
        """The share of the win that a move brought on average."""
        return self.totals[arm] / max(self.visits[arm], 1)

    def best(self, visits: int, exploration: float) -> int:
        """The arm to try next, by UCB1."""
        bonus = exploration * sqrt(log(visits + 1))
        best, most = 0, -1.0
        for arm, count in enumerate(self.visits):
            if not count:
                return arm
            bound = self.totals[arm] / count + bonus / sqrt(count)
            if bound > most:
                best, most = arm, bound
        return best


class _Node(Generic[P, M]):
    """A position in which seats decide; with `values` it is an end."""

    def __init__(self, position: P, seats: tuple[int, ...], playing: int, values: Values | None = None) -> None:
        self.position, self.seats, self.values = position, seats, values
        self.visits = 0
        self.totals = [0.0] * playing
        self.arms: list[_Arms[M]] = []
        self.children: dict[tuple[tuple[int, ...], tuple[int, ...]], _Node[P, M]] = {}

    def arms_of(self, seat: int) -> _Arms[M]:
        """Those of a seat that decides here."""
        if not self.arms:
            self.arms = [_Arms() for _ in self.seats]
        return self.arms[self.seats.index(seat)]

    def note(self, picks: Sequence[int], values: Values) -> None:
        """Note what these picks brought."""
        self.visits += 1
        for number, value in enumerate(values):
            self.totals[number] += value
        for arms, pick, seat in zip(self.arms, picks, self.seats, strict=True):
            arms.visits[pick] += 1
            arms.totals[pick] += values[seat]

"""Monte-Carlo tree search over the interface of the rules: it knows no game.

A node is a position in which a seat decides, or dice are rolled. Every seat that decides there has arms, one
for each move considered, and picks by UCB1 for itself alone: with one seat to move that is UCT; with more than
two seats each maximizes its own share (max^n); if several write secret orders at the same time, none knows the
picks of the others (decoupled UCT). More moves are considered the more often a node is visited (progressive
widening). Dice are drawn again each time, and lead to a node for each throw.

The rules estimate the value of a new position; without an estimate, a random game from it gives the value. The
estimates also decide which moves are considered first: those that lead to the best positions, for secret orders
on average over some orders of the others, and only at the root.

Sources: Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning" (2006); Couëtoux and others, "Continuous
Upper Confidence Trees" (2011), for the widening; Sturtevant, "An Analysis of UCT in Multi-player Games" (2008);
Lanctot and others, "Monte Carlo Tree Search for Simultaneous Move Games" (2013).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil, log, sqrt
from typing import Generic, TypeVar

from rules import driver
from rules.bots.thinking import MOST_WEIGHED, Considered, Meter, Thought, distinct_moves, ended, estimated
from rules.game import Rules
from rules.playout import play_out

P = TypeVar("P")
M = TypeVar("M")

Below = Callable[[int], int]
Values = Sequence[float]
"""The share of the win for each seat."""
Picks = tuple[int, ...]
"""The number of an arm for each seat that decides."""

_MOST_LISTED, _MOST_LISTED_ORDERS = 250, 40
"""If a position has more moves, or more secret orders, some are drawn at random instead of listing all."""
_SHARE_LISTED = 10
"""A search compares at most its positions divided by this at a time, so that it does not only compare."""


@dataclass(frozen=True)
class Manner:
    """The parameters of a tree search."""

    exploration: float = 0.5
    """The weight of moves that were rarely considered."""
    width: float = 1.0
    """With `n` visits, the number of moves considered is this times the root of `n`."""
    compared: int = 300
    """The secret orders compared at the root by estimates, before the best are considered."""
    listed: int = _MOST_LISTED
    """The moves compared at a time by estimates after the root, where they count as searched."""
    answers: int = 4
    """The orders of the other seats against which they are compared."""
    most_kept: int = 100_000
    """The approximate limit of positions and moves kept; a larger tree is not searched further."""

    @classmethod
    def for_nodes(cls, nodes: int) -> Manner:
        """Return the parameters of a search of `nodes` positions."""
        listed = min(max(nodes // _SHARE_LISTED, 2), cls.listed)
        return cls(compared=min(max(nodes, 10), cls.compared), listed=listed)


class Tree(Generic[P, M]):
    """The search results for a position and its continuations; `seats` is the number of players."""

    def __init__(
        self, rules: Rules[P, M], position: P, seats: int, below: Below, manner: Manner | None = None
    ) -> None:
        self._rules, self._seats, self._below = rules, seats, below
        self._manner = manner or Manner()
        self._even = [1 / seats] * seats
        self._meter = Meter()
        waits = rules.dice(position) or rules.forced(position) is not None
        self._root: _Node[P, M] = _Node(position, () if waits else rules.to_move(position), seats)
        self.kept = 1
        """The number of positions and moves kept."""

    def search(self, meter: Meter) -> None:
        """Search positions until the meter is empty, the tree is full, or there is only one move."""
        self._meter = meter
        while not meter.is_empty and self.kept < self._manner.most_kept and not self._is_settled():
            self._descend()

    def thought(self, seat: int) -> Thought[M]:
        """Return the best move of `seat`, which decides at the root: the move considered most often.

        Moves with a promise are added after the others if few moves were considered.
        """
        arms = self._arms(self._root, self._root.seats.index(seat))
        if not arms.moves:
            arms.widen()
        arms.fill(MOST_WEIGHED)
        order = sorted(range(len(arms.moves)), key=lambda arm: (-arms.visits[arm], -arms.mean(arm)))
        considered = tuple(self._considered(arms, arm) for arm in order)
        return Thought(considered[0].move, considered, self._meter.spent, excess=arms.excess())

    def values(self) -> tuple[float, ...]:
        """Return each seat's chance to win from the root, as the search so far estimates it."""
        if not self._root.visits:
            return tuple(self._estimate(self._root.position, 0))
        return tuple(total / self._root.visits for total in self._root.totals)

    def _considered(self, arms: _Arms[M], arm: int) -> Considered[M]:
        return Considered(arms.moves[arm], arms.visits[arm], arms.mean(arm), self._reply(arm))

    def _reply(self, arm: int) -> M | None:
        """Return the best reply to an arm of the root, if one seat replies and no dice are rolled before."""
        child = self._root.children.get(((arm,), ()))
        if child is None or len(child.seats) != 1 or not child.arms:
            return None
        arms = child.arms[0]
        return arms.moves[max(range(len(arms.moves)), key=arms.visits.__getitem__)] if arms.moves else None

    def _is_settled(self) -> bool:
        return bool(self._root.arms) and all(
            arms.is_complete and len(arms.moves) == 1 for arms in self._root.arms
        )

    def _descend(self) -> None:
        """Follow the most promising line to a new position, and record its value all along the line."""
        node, path = self._root, []
        while True:
            picks = tuple(self._pick(node, place) for place in range(len(node.seats)))
            path.append((node, picks))
            position, rolled = self._played(node, picks)
            child = node.children.get((picks, rolled))
            if child is None:
                values = self._opened(node, (picks, rolled), position, len(path))
                break
            if child.values is not None:
                values = child.values
                break
            node = child
        self._meter.spend()
        for passed, picks in path:
            passed.note(picks, values)

    def _opened(self, node: _Node[P, M], key: tuple[Picks, Picks], position: P, depth: int) -> Values:
        """Keep a new position, and estimate it."""
        result = self._rules.result(position)
        ended = None if result is None else self._shares(result.winners, depth)
        seats = () if ended else self._rules.to_move(position)
        node.children[key] = _Node(position, seats, self._seats, ended)
        self.kept += 1
        return ended or self._estimate(position, depth)

    def _pick(self, node: _Node[P, M], place: int) -> int:
        """Return the arm that a seat tries next."""
        arms = self._arms(node, place)
        wanted = max(2, ceil(self._manner.width * sqrt(node.visits)))
        if len(arms.moves) < wanted:
            self.kept += arms.widen()
        return arms.best(node.visits, self._manner.exploration)

    def _arms(self, node: _Node[P, M], place: int) -> _Arms[M]:
        if not node.arms:
            node.arms = [_Arms(self._candidates(node, seat)) for seat in node.seats]
        return node.arms[place]

    def _played(self, node: _Node[P, M], picks: Picks) -> tuple[P, tuple[int, ...]]:
        """Return the next position in which a seat decides, or the game is over, and the dice rolled on the
        way.
        """
        position = node.position
        if picks:
            pairs = zip(node.seats, picks, node.arms, strict=True)
            position = self._rules.play(position, {seat: arms.moves[pick] for seat, pick, arms in pairs})
        rolled: tuple[int, ...] = ()
        while True:
            position, dice = driver.begin(self._rules, position, self._roll)
            rolled += dice
            step = driver.forced_step(self._rules, position, dice)
            if step is None:
                return position, rolled
            position = step.after

    def _roll(self, count: int) -> Sequence[int]:
        return sorted(1 + self._below(6) for _ in range(count))

    def _candidates(self, node: _Node[P, M], seat: int) -> Iterator[tuple[M, float | None, int]]:
        """Yield the moves of a seat, each once: of each batch the best first, if the rules estimate them."""
        if len(node.seats) > 1:
            yield from ((move, promise, 0) for move, promise in self._orders(node, seat))
            return
        source = distinct_moves(self._rules, node.position, seat, _MOST_LISTED, self._below)
        compared = _MOST_LISTED if node is self._root else self._manner.listed
        while batch := list(islice(source, compared)):
            promised = [(move, self._promise(node.position, seat, move)) for move in batch]
            if node is not self._root:
                self._meter.spend(sum(promise is not None for _, promise in promised))
            promised.sort(key=lambda pair: -1.0 if pair[1] is None else -pair[1])
            yield from ((move, promise, int(promise is not None)) for move, promise in promised)

    def _orders(self, node: _Node[P, M], seat: int) -> Iterator[tuple[M, float | None]]:
        """Yield secret orders of a seat, each once; those of the root in batches, the best first."""
        source = distinct_moves(self._rules, node.position, seat, _MOST_LISTED_ORDERS, self._below)
        if node is not self._root:
            yield from ((move, None) for move in source)
            return
        answers = [self._answer(node, seat) for _ in range(self._manner.answers)]
        while batch := list(islice(source, self._manner.compared)):
            worths = [self._worth(node.position, seat, move, answers) for move in batch]
            order = sorted(range(len(batch)), key=lambda number: -worths[number])
            yield from ((batch[number], worths[number] / len(answers)) for number in order)

    def _answer(self, node: _Node[P, M], seat: int) -> dict[int, M]:
        """Return drawn orders of the other seats."""
        others = (other for other in node.seats if other != seat)
        return {other: self._rules.promising(node.position, other, self._below) for other in others}

    def _worth(self, position: P, seat: int, move: M, answers: Sequence[Mapping[int, M]]) -> float:
        """Return the sum of a seat's shares after its orders and each of these answers."""
        worth = 0.0
        for answer in answers:
            after = self._rules.play(position, {**answer, seat: move})
            result = self._rules.result(after)
            values = self._guess(after) if result is None else self._shares(result.winners, 1)
            worth += (values or self._even)[seat]
        return worth

    def _promise(self, position: P, seat: int, move: M) -> float | None:
        """Return the rules' estimate of the position directly after a move."""
        after = self._rules.play(position, {seat: move})
        result = self._rules.result(after)
        values = self._guess(after) if result is None else self._shares(result.winners, 1)
        return None if values is None else values[seat]

    def _estimate(self, position: P, depth: int) -> Values:
        """Return the value of a position in which the game goes on."""
        guess, share = self._guess(position), self._rules.playout_share
        if guess is not None and not share:
            return guess
        result, turns = play_out(self._rules, position, self._below)
        found = self._even if result is None else self._shares(result.winners, depth + turns)
        if guess is None:
            return found
        return [share * value + (1 - share) * other for value, other in zip(found, guess, strict=True)]

    def _guess(self, position: P) -> Values | None:
        return estimated(self._rules, position, self._seats)

    def _shares(self, winners: Sequence[int], depth: int) -> Values:
        return ended(winners, self._seats, depth)


class _Arms(Generic[M]):
    """The moves of one seat that are considered, with their counts and the sum of that seat's shares.

    A move with a promise counts as considered once.
    """

    def __init__(self, source: Iterator[tuple[M, float | None, int]]) -> None:
        self.moves: list[M] = []
        self.promises: list[float | None] = []
        self.visits: list[int] = []
        self.totals: list[float] = []
        self.is_complete = False
        self._source = source

    def widen(self) -> bool:
        """Consider one more move; return whether there was one."""
        found = next(self._source, None)
        if found is None:
            self.is_complete = True
            return False
        move, promise, visits = found
        self.moves.append(move)
        self.promises.append(promise)
        self.visits.append(visits)
        self.totals.append((promise or 0.0) * visits)
        return True

    def mean(self, arm: int) -> float:
        """Return the average chance to win after a move, or its promise if it was not visited."""
        visits = self.visits[arm]
        return self.totals[arm] / visits if visits else self.promises[arm] or 0.0

    def fill(self, wanted: int) -> None:
        """Add moves up to this number, if the rules estimate them."""
        while self.promises and self.promises[-1] is not None and len(self.moves) < wanted and self.widen():
            pass

    def excess(self) -> float:
        """Return by how much the promises of moves visited again exceed their values on average."""
        again = [
            promise - self.mean(arm)
            for arm, promise in enumerate(self.promises)
            if promise is not None and self.visits[arm] > 1
        ]
        return sum(again) / max(len(again), 1)

    def best(self, visits: int, exploration: float) -> int:
        """Return the arm to try next, by UCB1."""
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
    """A position in which seats decide, or dice are rolled; with `values` it is an end."""

    def __init__(self, position: P, seats: tuple[int, ...], playing: int, values: Values | None = None) -> None:
        self.position, self.seats, self.values = position, seats, values
        self.visits = 0
        self.totals = [0.0] * playing
        self.arms: list[_Arms[M]] = []
        self.children: dict[tuple[Picks, Picks], _Node[P, M]] = {}

    def note(self, picks: Picks, values: Values) -> None:
        """Record the values that followed these picks."""
        self.visits += 1
        for seat, value in enumerate(values):
            self.totals[seat] += value
        for arms, pick, seat in zip(self.arms, picks, self.seats, strict=True):
            arms.visits[pick] += 1
            arms.totals[pick] += values[seat]

"""Monte-Carlo tree search over the contract of the rules: it knows no game.

A node is a position in which somebody decides, or dice are rolled. Every seat that decides there has arms, one
for each move that is looked at, and picks by UCB1 for itself alone: with one seat to move that is UCT; with
more than two seats each wants the most for itself (max^n); where several write secret orders at the same time,
none knows what the others pick (decoupled UCT). More moves are looked at the more often a node is visited
(progressive widening). Dice are drawn anew each time, and lead to a node for each throw.

The rules estimate the value of a new position, or a random game played on from there tells. Rules that
estimate also say by this which moves are looked at first: those that lead to the best positions.

Sources: Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning" (2006); Couëtoux and others, "Continuous
Upper Confidence Trees" (2011), for the widening; Sturtevant, "An Analysis of UCT in Multi-player Games" (2008);
Lanctot and others, "Monte Carlo Tree Search for Simultaneous Move Games" (2013).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil, log, sqrt
from typing import Generic, TypeVar

from rules import driver
from rules.bots.thinking import Considered, Meter, Thought
from rules.game import Rules
from rules.playout import play_out

P = TypeVar("P")
M = TypeVar("M")

Below = Callable[[int], int]
Values = Sequence[float]
"""The share of the win for each seat."""
Picks = tuple[int, ...]
"""The number of an arm for each seat that decides."""

_LATER = 1e-4
"""How much less an end is worth for each turn until it comes: enough to prefer the quicker of two wins."""
_MOST_LISTED = 200
"""Where there are more moves, some are drawn by lot instead of listing them."""
_BATCH = 40
"""So many are drawn at a time."""
_MOST_IN_VAIN = 20
"""Draws that give nothing new, one after the other, before a move is taken to have been the last."""


@dataclass(frozen=True)
class Manner:
    """How a tree is searched."""

    exploration: float = 0.5
    """How much is given to moves that were seldom looked at."""
    width: float = 1.0
    """With `n` visits, so many times the root of `n` moves are looked at."""
    most_kept: int = 100_000
    """Positions and moves that are kept, about; a tree of so many is not searched any further."""


class Tree(Generic[P, M]):
    """What was found out about a position and what may follow; `seats` is how many play."""

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
        """Positions and moves that are kept."""

    def search(self, meter: Meter) -> None:
        """Look at positions until the meter is empty, the tree is full, or there is only one move."""
        self._meter = meter
        while not meter.is_empty and self.kept < self._manner.most_kept and not self._is_settled():
            self._descend()

    def thought(self, seat: int) -> Thought[M]:
        """What `seat`, which decides at the root, best does: the move that was looked at most."""
        arms = self._arms(self._root, self._root.seats.index(seat))
        if not arms.moves:
            arms.widen()
        order = sorted(range(len(arms.moves)), key=lambda arm: (-arms.visits[arm], -arms.mean(arm)))
        considered = tuple(self._considered(arms, arm) for arm in order)
        return Thought(considered[0].move, considered, self._meter.spent)

    def values(self) -> tuple[float, ...]:
        """The share of the win that each seat can expect at the root, as far as it was searched."""
        if not self._root.visits:
            return tuple(self._estimate(self._root.position, 0))
        return tuple(total / self._root.visits for total in self._root.totals)

    def _considered(self, arms: _Arms[M], arm: int) -> Considered[M]:
        return Considered(arms.moves[arm], arms.visits[arm], arms.mean(arm), self._reply(arm))

    def _reply(self, arm: int) -> M | None:
        """What is best answered to an arm of the root, where one seat answers and no dice are rolled before."""
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
        """Follow the most promising line to a new position, and note all along it what that is worth."""
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
        """The arm that a seat tries next."""
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
        """The next position in which somebody decides, or the game is over, and the dice rolled on the way."""
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

    def _candidates(self, node: _Node[P, M], seat: int) -> Iterator[tuple[M, float | None]]:
        """The moves of a seat, each once: of each batch the best first, as far as the rules know them."""
        if len(node.seats) > 1:
            for batch in self._batches(node.position, seat, listed=_BATCH, drawn=1):
                yield from ((move, None) for move in batch)
            return
        for batch in self._batches(node.position, seat, listed=_MOST_LISTED, drawn=_BATCH):
            promised = [(move, self._promise(node.position, seat, move)) for move in batch]
            yield from sorted(promised, key=lambda pair: -1.0 if pair[1] is None else -pair[1])

    def _batches(self, position: P, seat: int, *, listed: int, drawn: int) -> Iterator[list[M]]:
        """The moves of a seat, each once, by lot: all in one batch if so many can be listed, or as drawn."""
        moves = list(islice(self._rules.candidates(position, seat), listed + 1))
        if len(moves) <= listed:
            yield [moves.pop(self._below(len(moves))) for _ in range(len(moves))]
            return
        seen: set[M] = set()
        while batch := self._drawn(position, seat, seen, drawn):
            seen.update(batch)
            yield batch

    def _drawn(self, position: P, seat: int, seen: set[M], wanted: int) -> list[M]:
        """Some moves that were not seen before."""
        batch: dict[M, None] = {}
        in_vain = 0
        while len(batch) < wanted and in_vain < _MOST_IN_VAIN:
            move = self._rules.promising(position, seat, self._below)
            in_vain = in_vain + 1 if move in seen or move in batch else 0
            if not in_vain:
                batch[move] = None
        return list(batch)

    def _promise(self, position: P, seat: int, move: M) -> float | None:
        """What a move leads to, as the rules estimate it at once."""
        after = self._rules.play(position, {seat: move})
        result = self._rules.result(after)
        values = self._rules.evaluate(after) if result is None else self._shares(result.winners, 1)
        if values is None:
            return None
        self._meter.spend()
        return values[seat]

    def _estimate(self, position: P, depth: int) -> Values:
        """What a position is worth where the game goes on."""
        guess, share = self._rules.evaluate(position), self._rules.playout_share
        if guess is not None and not share:
            return guess
        result, turns = play_out(self._rules, position, self._below)
        found = self._even if result is None else self._shares(result.winners, depth + turns)
        if guess is None:
            return found
        return [share * value + (1 - share) * other for value, other in zip(found, guess, strict=True)]

    def _shares(self, winners: Sequence[int], depth: int) -> Values:
        """What an end is worth; it is worth less to its winners, and costs the others less, the later it is."""
        if not winners:
            return self._even
        share, later = 1 / len(winners), _LATER * depth
        return [share - later if seat in winners else later for seat in range(self._seats)]


class _Arms(Generic[M]):
    """The moves of one seat that are looked at, how often, and what they brought that seat in all.

    A move with a promise counts as looked at once.
    """

    def __init__(self, source: Iterator[tuple[M, float | None]]) -> None:
        self.moves: list[M] = []
        self.visits: list[int] = []
        self.totals: list[float] = []
        self.is_complete = False
        self._source = source

    def widen(self) -> bool:
        """Look at one move more; whether there was another."""
        found = next(self._source, None)
        if found is None:
            self.is_complete = True
            return False
        move, promise = found
        self.moves.append(move)
        self.visits.append(0 if promise is None else 1)
        self.totals.append(promise or 0.0)
        return True

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
    """A position in which seats decide, or none does and dice are rolled; with `values` it is an end."""

    def __init__(self, position: P, seats: tuple[int, ...], playing: int, values: Values | None = None) -> None:
        self.position, self.seats, self.values = position, seats, values
        self.visits = 0
        self.totals = [0.0] * playing
        self.arms: list[_Arms[M]] = []
        self.children: dict[tuple[Picks, Picks], _Node[P, M]] = {}

    def note(self, picks: Picks, values: Values) -> None:
        """Note what these picks brought."""
        self.visits += 1
        for seat, value in enumerate(values):
            self.totals[seat] += value
        for arms, pick, seat in zip(self.arms, picks, self.seats, strict=True):
            arms.visits[pick] += 1
            arms.totals[pick] += values[seat]

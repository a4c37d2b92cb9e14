"""A best-first search over estimates, for games in which seats move in turn: it knows no game.

Whenever the search gets to a position for the first time, it estimates the positions after many of its moves,
and keeps the best of them. A position is worth what its best move is worth to the seat that makes it (minimax;
max^n for more than two seats), and before a roll the average over all throws. Each step of the search follows
the line that looks best so far, with a bonus for moves that were rarely followed, and goes one move further. As
in the tree search, the number of moves considered grows with the root of the visits (progressive widening).

Unlike averages over visits (UCT), this finds the one reply that refutes a move among thousands of others, and
needs few positions where dice are rolled.

Sources: Korf and Chickering, "Best-First Minimax Search" (1996); Cohen-Solal, "Learning to Play Two-Player
Perfect-Information Games without Knowledge" (2020).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice
from math import ceil, factorial, log, prod, sqrt
from typing import Generic, TypeVar

from rules.bots.thinking import Considered, Meter, Thought, distinct_moves, ended, estimated
from rules.game import Rules

P = TypeVar("P")
M = TypeVar("M")

Below = Callable[[int], int]
Values = Sequence[float]
"""The share of the win for each seat."""

_WON = 1.0
_FACES = 6
_PER_POSITION = 5
"""A search of `n` moves looks at this times the fourth root of `n` in each position but the first."""


@dataclass(frozen=True)
class Sight:
    """The number of moves that a search looks at and keeps for each position, and its width."""

    first: int = 3000
    """The most moves to look at in the position of the question."""
    later: int = 60
    """The most moves to look at in each other position in which no dice were rolled."""
    thrown: int = 200
    """The most moves to look at after each throw; usually there are fewer."""
    kept: int = 24
    """The moves kept of each position other than that of the question."""
    kept_first: int = 300
    width: float = 1.5
    """With `n` visits, the number of moves considered is this times the root of `n`."""
    exploration: float = 0.1
    """The weight of moves that were rarely followed."""
    most_kept: int = 40_000
    """The approximate limit of moves kept; a larger search ends."""

    @classmethod
    def for_looks(cls, looks: int) -> Sight:
        """Return the sight of a search that looks at `looks` moves in all.

        A longer search looks at a few more moves of each position, and gets to many more positions.
        """
        first, thrown = max(looks // 4, 20), max(looks // 50, 20)
        later = max(round(_PER_POSITION * looks ** (1 / 4)), 20)
        return cls(min(first, cls.first), min(later, cls.later), min(thrown, cls.thrown))


class Lookahead(Generic[P, M]):
    """A best-first search of a position in a game of `seats` players, with its results so far."""

    def __init__(
        self, rules: Rules[P, M], position: P, seats: int, below: Below, sight: Sight | None = None
    ) -> None:
        self._rules, self._seats, self._below = rules, seats, below
        self._sight = sight or Sight()
        self._meter = Meter()
        self._position = position
        self._root: _Node[P, M] | None = None
        self._is_cut = False
        """True if there was no time to look at all moves in the position of the question."""
        self.kept = 0
        """The number of moves kept."""

    def search(self, meter: Meter) -> None:
        """Search until the meter is empty, the search is full, or there is only one move."""
        self._meter = meter
        root = self._opened()
        while not meter.is_empty and self.kept < self._sight.most_kept and not root.is_settled():
            self._descend(root)

    def thought(self, seat: int) -> Thought[M]:
        """Return the best move of `seat`, which decides at the root: the move followed most often."""
        (branch,) = self._opened().branches
        order = sorted(branch.lines, key=lambda line: (-line.visits, -line.values[seat]))
        considered = tuple(Considered(line.move, line.looks, line.values[seat], _reply(line)) for line in order)
        return Thought(considered[0].move, considered, self._meter.spent, excess=branch.excess())

    def values(self) -> tuple[float, ...]:
        """Return each seat's chance to win at the root, as far as it was searched."""
        root = self._opened()
        if self._is_cut:
            return tuple(estimated(self._rules, self._position, self._seats) or [1 / self._seats] * self._seats)
        return tuple(root.values())

    def _opened(self) -> _Node[P, M]:
        if self._root is None:
            sight = self._sight
            self._root = self._node(self._position, 0, sight.first, sight.kept_first)
            self._is_cut = self._meter.is_empty
        return self._root

    def _descend(self, root: _Node[P, M]) -> None:
        """Follow the line that looks best to its end, look one move further, and note the new values."""
        path: list[_Line[P, M]] = []
        node, before = root, self._meter.spent
        while True:
            branch = node.next_branch()
            line = branch.next_line(self._sight)
            line.visits += 1
            branch.visits += 1
            path.append(line)
            if line.is_end:
                self._meter.spend()
                break
            if line.node is None:
                after = self._rules.play(branch.position, {branch.seat: line.move})
                most = self._sight.thrown if self._rules.dice(after) else self._sight.later
                found = self._node(after, len(path), most, self._sight.kept)
                # Without all replies, a move would look better than it is.
                line.node = None if self._meter.is_empty else found
                break
            node = line.node
        path[0].looks += self._meter.spent - before
        for line in reversed(path):
            if line.node is not None:
                line.values = line.node.values()

    def _node(self, position: P, depth: int, most: int, kept: int) -> _Node[P, M]:
        """Look at the moves of a position, after each throw if dice are rolled before."""
        count = self._rules.dice(position)
        if not count:
            return _Node([self._branch(position, 1.0, depth, most, kept)])
        rolled = ((self._rules.roll(position, dice), chance) for dice, chance in throws(count))
        return _Node([self._branch(after, chance, depth, most, kept) for after, chance in rolled])

    def _branch(self, position: P, chance: float, depth: int, most: int, kept: int) -> _Branch[P, M]:
        """Look at the moves of a position in which a seat moves or has to pass."""
        (seat,) = self._rules.to_move(position)
        lines: list[_Line[P, M]] = []
        for move in self._moves(position, seat, most):
            lines.append(self._line(move, self._rules.play(position, {seat: move}), depth))
            if self._meter.is_empty:
                break
        lines.sort(key=lambda line: -line.values[seat])
        del lines[kept:]
        self.kept += len(lines)
        return _Branch(position, seat, chance, lines)

    def _line(self, move: M, after: P, depth: int) -> _Line[P, M]:
        self._meter.spend()
        result = self._rules.result(after)
        if result is not None:
            return _Line(move, ended(result.winners, self._seats, depth), is_end=True)
        return _Line(move, estimated(self._rules, after, self._seats) or [1 / self._seats] * self._seats)

    def _moves(self, position: P, seat: int, most: int) -> Iterator[M]:
        """Yield moves of a seat, each once: all if there are at most so many, else some as drawn."""
        forced = self._rules.forced(position)
        if forced is not None:
            return iter((forced,))
        return islice(distinct_moves(self._rules, position, seat, most, self._below), most)


class _Line(Generic[P, M]):
    """A move that was looked at: the value of the position after it, and its node, once the search is there."""

    __slots__ = ("is_end", "looks", "move", "node", "promise", "values", "visits")

    def __init__(self, move: M, values: Values, *, is_end: bool = False) -> None:
        self.move, self.values, self.is_end = move, values, is_end
        self.promise = values
        """The values before the replies were looked at."""
        self.node: _Node[P, M] | None = None
        self.visits = self.looks = 1


class _Branch(Generic[P, M]):
    """A position in which a seat moves, with the chance of its throw and the best moves."""

    __slots__ = ("chance", "lines", "position", "seat", "visits")

    def __init__(self, position: P, seat: int, chance: float, lines: list[_Line[P, M]]) -> None:
        self.position, self.seat, self.chance, self.lines = position, seat, chance, lines
        self.visits = 0

    def best(self) -> _Line[P, M]:
        seat = self.seat
        return max(self.lines, key=lambda line: line.values[seat])

    def excess(self) -> float:
        """Return by how much moves seemed better on average before their replies were looked at."""
        seat = self.seat
        falls = [line.promise[seat] - line.values[seat] for line in self.lines if line.node is not None]
        return sum(falls) / max(len(falls), 1)

    def next_line(self, sight: Sight) -> _Line[P, M]:
        """Return the line to follow next, by UCB1 over those considered so far."""
        wide = max(2, ceil(sight.width * sqrt(self.visits)))
        bonus, seat = sight.exploration * sqrt(log(self.visits + 1)), self.seat
        return max(self.lines[:wide], key=lambda line: line.values[seat] + bonus / sqrt(line.visits))


class _Node(Generic[P, M]):
    """A position that the search got to: a branch for each throw, a single one if no dice are rolled."""

    __slots__ = ("branches",)

    def __init__(self, branches: list[_Branch[P, M]]) -> None:
        self.branches = branches

    def values(self) -> Values:
        """Return the average over all throws of the value of the best move."""
        if len(self.branches) == 1:
            return self.branches[0].best().values
        weighed = [[branch.chance * value for value in branch.best().values] for branch in self.branches]
        return [sum(each) for each in zip(*weighed, strict=True)]

    def next_branch(self) -> _Branch[P, M]:
        """Return the throw that was followed least often for its chance."""
        return min(self.branches, key=lambda branch: (branch.visits + 1) / branch.chance)

    def is_settled(self) -> bool:
        """Return whether there is nothing to choose: a single move, or one that wins immediately."""
        if len(self.branches) > 1:
            return False
        lines, seat = self.branches[0].lines, self.branches[0].seat
        return len(lines) < 2 or (lines[0].is_end and lines[0].values[seat] >= _WON)


def throws(count: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield all different throws of `count` dice, numbers ascending, each with its probability."""
    for dice in combinations_with_replacement(range(1, _FACES + 1), count):
        orders = factorial(count) // prod(factorial(same) for same in Counter(dice).values())
        yield dice, orders / _FACES**count


def _reply(line: _Line[P, M]) -> M | None:
    """Return the best reply to a move, if it was searched and no dice are rolled before."""
    node = line.node
    return node.branches[0].best().move if node is not None and len(node.branches) == 1 else None

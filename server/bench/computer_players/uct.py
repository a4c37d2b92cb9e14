"""A textbook opponent for every game: UCT with random games, without estimates of positions.

It shares only the random games with the computer players. Each seat that moves has its own counts, so it can
also play games with secret orders.

Source: Browne and others, "A Survey of Monte Carlo Tree Search Methods" (2012), algorithm 2.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any

from rules.bots.match_players import AnyRules, Below
from rules.playout import play_out
from server.bench.computer_players.yardsticks import moves_of

_EXPLORATION = 1.0
"""The weight of moves that were rarely tried."""


@dataclass
class _Node:
    """A position that was visited: the moves of each seat, their visits and points, and later positions."""

    position: Any
    moves: dict[int, list[Any]]
    visits: dict[int, list[int]]
    points: dict[int, list[float]]
    later: dict[Any, _Node] = field(default_factory=dict)
    """By the picks of all seats, and the dice rolled before the next move."""

    def pick(self, seat: int) -> int:
        """Return the number of the move to try: one that was not tried yet, or the best by UCB1."""
        visits, points = self.visits[seat], self.points[seat]
        if 0 in visits:
            return visits.index(0)
        bonus = _EXPLORATION * sqrt(2 * log(sum(visits)))
        bounds = [won / tried + bonus / sqrt(tried) for won, tried in zip(points, visits, strict=True)]
        return bounds.index(max(bounds))


@dataclass(frozen=True)
class Uct:
    """UCT for this many processor seconds per move."""

    seconds: float

    def __call__(self, rules: AnyRules, position: Any, seat: int, seats: int, below: Below, /) -> Any:
        end = time.process_time() + self.seconds
        root = _node(rules, position, below)
        while time.process_time() < end and len(root.moves[seat]) > 1:
            _try(rules, root, seats, below)
        return max(zip(root.visits[seat], root.moves[seat], strict=True), key=lambda pair: pair[0])[1]


def _node(rules: AnyRules, position: Any, below: Below) -> _Node:
    forced = rules.forced(position)
    moves = {
        seat: [forced] if forced is not None else _shuffled(moves_of(rules, position, seat, below), below)
        for seat in rules.to_move(position)
    }
    visits = {seat: [0] * len(each) for seat, each in moves.items()}
    return _Node(position, moves, visits, {seat: [0.0] * len(each) for seat, each in moves.items()})


def _shuffled(moves: list[Any], below: Below) -> list[Any]:
    return [moves.pop(below(len(moves))) for _ in range(len(moves))]


def _try(rules: AnyRules, root: _Node, seats: int, below: Below) -> None:
    """Follow the best moves to a new position, play a random game from it, and count its result."""
    node, path = root, []
    while True:
        picks = {seat: node.pick(seat) for seat in node.moves}
        path.append((node, picks))
        position = rules.play(node.position, {seat: node.moves[seat][pick] for seat, pick in picks.items()})
        dice: tuple[int, ...] = ()
        if rules.result(position) is not None:
            break
        if count := rules.dice(position):
            dice = tuple(sorted(1 + below(6) for _ in range(count)))
            position = rules.roll(position, dice)
        key = (tuple(picks.values()), dice)
        if key not in node.later:
            node.later[key] = _node(rules, position, below)
            break
        node = node.later[key]
    result, _ = play_out(rules, position, below)
    winners: Sequence[int] = result.winners if result is not None and result.winners else range(seats)
    for passed, picks in path:
        for seat, pick in picks.items():
            passed.visits[seat][pick] += 1
            passed.points[seat][pick] += (seat in winners) / len(winners)

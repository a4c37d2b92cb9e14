"""Report on a finished game: each seat's chance to win after each turn, and the turns that lost the most of it.

Chances come from the search of a computer player, with one budget for the whole game: in a long game, each turn
gets less of it. Where a turn seems to have lost much, the positions before and after it are searched again, ten
times as long, and only a loss that this confirms is reported. Where few moves are left, chances are exact. The
same seed gives the same chances if there is time for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rules.bots import players
from rules.bots.match_players import AnyRules
from rules.bots.proof import certain_chances
from rules.bots.thinking import Budget, Meter
from rules.chance import Chance
from rules.game import Json, Step
from rules.strengths import STRENGTHS

MOST_SLIPS = 3
"""The most turns of a seat in a report."""
_LEAST = 0.03
"""The smallest chance to win that a move must lose to be reported."""
_NODES, _MOST_NODES, _LEAST_NODES = 16_000, 400, 20
"""Positions searched for all shares of a game together; for one share at most, and at least."""
_LONGER = 10
"""The second search of a turn searches this many times the positions of the first."""
_PROVES = 5
"""The positions to prove a result, for each position to search: proving one takes less time."""
_SECONDS = 120.0
"""The time limit for the first search of all turns of a game, and for the second search of all slips."""

Shares = tuple[float, ...]


@dataclass(frozen=True)
class Slip:
    """A turn in which a seat lost much: its chance to win after it, and after a better move."""

    turn: int
    seat: int
    played: str
    share: float
    better: str
    better_share: float

    @property
    def loss(self) -> float:
        """The chance to win that the seat lost, from 0 to 1."""
        return self.better_share - self.share


@dataclass(frozen=True)
class Assessment:
    """The seats' chances to win after each turn (0 is the start), and the turns in which a seat lost most."""

    numbers: tuple[int, ...]
    shares: tuple[Shares, ...]
    slips: tuple[Slip, ...] = ()

    def to_json(self) -> Json:
        """Return the assessment as JSON, for storing."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Json) -> Assessment:
        """Return the assessment from JSON."""
        shares = tuple(tuple(each) for each in data["shares"])
        return cls(tuple(data["numbers"]), shares, tuple(Slip(**slip) for slip in data["slips"]))


def assess(
    rules: AnyRules,
    start: Any,
    steps: Sequence[Step[Any, Any]],
    numbers: Sequence[int],
    seats: int,
    seed: bytes,
    *,
    hurried: bool = True,
) -> Assessment:
    """Return the report on a game of `seats` seats that began with the position `start`.

    `numbers` are those of its turns. With `hurried`, it ends within minutes on any machine, but a slow one
    searches less.
    """
    looker = _Looker(rules, seats, seed, len(steps), hurried)
    shares, falls = [looker.share(start, 0)], []
    for number, step in zip(numbers, steps, strict=True):
        shares.append(looker.share(step.after, number))
        before = looker.share(step.before, number) if step.dice else shares[-2]
        falls += [_Fall(before[seat] - shares[-1][seat], number, seat, step) for seat in _movers(rules, step)]
    places = (0, *numbers)
    slips = []
    worst = [fall for seat in range(seats) for fall in _worst(falls, seat)]
    for fall in worst:
        slip, closer = looker.slip(fall, _SECONDS / (2 * len(worst)))
        shares[places.index(fall.turn)] = closer
        slips += [slip] if slip else []
    rounded = tuple(tuple(round(share, 3) for share in each) for each in shares)
    return Assessment(places, rounded, tuple(sorted(slips, key=lambda slip: (slip.turn, slip.seat))))


@dataclass(frozen=True)
class _Fall:
    """The loss of a seat in one of its turns, estimated from the shares before and after."""

    by: float
    turn: int
    seat: int
    step: Step[Any, Any]


def _movers(rules: AnyRules, step: Step[Any, Any]) -> tuple[int, ...]:
    """Return the seats that had a choice in a turn."""
    return () if rules.forced(step.before) is not None else tuple(step.moves)


def _worst(falls: Sequence[_Fall], seat: int) -> Sequence[_Fall]:
    """Return the turns in which a seat seems to have lost most."""
    own = sorted((fall for fall in falls if fall.seat == seat and fall.by >= _LEAST), key=lambda fall: -fall.by)
    return own[:MOST_SLIPS]


@dataclass(frozen=True)
class _Looker:
    """The search in positions of one game, which has this many turns."""

    rules: AnyRules
    seats: int
    seed: bytes
    turns: int
    hurried: bool

    def share(self, position: Any, turn: int) -> Shares:
        """Return each seat's chance to win in a position, dice rolled or not."""
        seconds = _SECONDS / (2 * self.turns + 1)
        return self._share(position, f"turn {turn}", nodes_for(self.turns), seconds)

    def slip(self, fall: _Fall, seconds: float) -> tuple[Slip | None, Shares]:
        """Return the better move and the loss, by searches of at most `seconds`, and the shares after the turn.

        No slip if no move is much better.
        """
        rules, seat, before = self.rules, fall.seat, fall.step.before
        nodes = _LONGER * nodes_for(self.turns)
        best = replace(STRENGTHS[-1].by_nodes(), nodes=nodes, proves=_PROVES * nodes)
        below = Chance(self.seed, f"better, turn {fall.turn}, seat {seat}").below
        limit = seconds if self.hurried else None
        thought = players.think(rules, before, seat, self.seats, best, below, seconds=limit)
        better, played = thought.considered[0], fall.step.moves[seat]
        after = self._share(fall.step.after, f"played, turn {fall.turn}", nodes, seconds)
        slip = Slip(
            turn=fall.turn,
            seat=seat,
            played=rules.format(played),
            share=round(after[seat], 3),
            better=rules.format(better.move),
            better_share=round(better.value, 3),
        )
        return slip if better.move != played and slip.loss >= _LEAST else None, after

    def _share(self, position: Any, label: str, nodes: int, seconds: float) -> Shares:
        result = self.rules.result(position)
        if result is not None:
            return shares_of(result.winners, self.seats)
        limit = seconds / 2 if self.hurried else None
        if self.seats == 2:
            certain = certain_chances(self.rules, position, Meter(Budget(_PROVES * nodes, limit)))
            if certain is not None:
                return tuple(certain)
        budget = Budget(nodes, limit)
        below = Chance(self.seed, label).below
        return players.estimate(self.rules, position, self.seats, below, budget)


def nodes_for(turns: int) -> int:
    """Return how many positions to search after each turn of a game that has `turns` turns."""
    return min(_MOST_NODES, max(_LEAST_NODES, _NODES // (turns + 1)))


def shares_of(winners: Sequence[int], seats: int) -> Shares:
    """Return each seat's part of the win in a finished game: 1 for a single winner, ½ each for two.

    The parts are equal if there is no winner.
    """
    if not winners:
        return (1 / seats,) * seats
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(seats))

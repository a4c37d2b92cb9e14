"""A hint: the move that the strongest computer player would make, and the reason in numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from rules.bots import players
from rules.bots.match_players import AnyRules
from rules.bots.thinking import Considered
from rules.game import Json
from rules.strengths import STRENGTHS


@dataclass(frozen=True)
class Advised:
    """A move that was looked at: how often, and the share of the win that it promises who makes it."""

    move: str
    looks: int
    share: float
    reply: str = ""
    """What the opponent best answers; "" where that is not known."""

    @property
    def percent(self) -> int:
        """The share of the win in percent."""
        return round(100 * self.share)


@dataclass(frozen=True)
class Hint:
    """The best move that was found, the next best, if there is another, and how much was looked at."""

    best: Advised
    second: Advised | None
    looks: int
    is_sure: bool = False
    """Whether nothing is better, for sure."""

    def to_json(self) -> Json:
        """The hint as it is stored."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Json) -> Hint:
        """The hint that was stored."""
        second = data["second"]
        is_sure = data.get("is_sure", False)
        return cls(Advised(**data["best"]), Advised(**second) if second else None, data["looks"], is_sure)

    @property
    def reasons(self) -> list[str]:
        """Why, in sentences to the player."""
        if self.is_sure:
            return ["Nothing is better: all that can follow was looked at, or is known."]
        if self.second is None:
            return ["Nothing else can be played."]
        best, second = self.best, self.second
        told = [
            f"Of {self.looks} positions that the computer looked at, {best.looks} came after this. It "
            f"estimates your share of the win at {best.percent}\u00a0%."
        ]
        if best.reply:
            told.append(f"The best reply that it found is {best.reply}.")
        told.append(
            f"The next best is {second.move}, with {second.looks} of the positions: estimated at "
            f"{second.percent}\u00a0%."
        )
        return told


def find(
    rules: AnyRules,
    position: Any,
    seat: int,
    seats: int,
    below: Callable[[int], int],
    *,
    seconds: float | None = None,
) -> Hint:
    """A hint for `seat`, which is to move, of `seats` that play; it takes `seconds` at most, where given.

    Of secret orders it knows none: what the others do is what they can do best.
    """
    thought = players.think(rules, position, seat, seats, STRENGTHS[-1], below, seconds=seconds)
    found = [_advised(rules, each) for each in thought.considered[:2]]
    return Hint(found[0], found[1] if len(found) > 1 else None, thought.nodes, thought.is_sure)


def _advised(rules: AnyRules, move: Considered[Any]) -> Advised:
    share = min(max(move.value, 0.0), 1.0)
    reply = "" if move.reply is None else rules.format(move.reply)
    return Advised(rules.format(move.move), move.visits, share, reply)

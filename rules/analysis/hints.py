"""Hints: the move that the strongest computer player would make with more time, with reasons in numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from rules.bots import players
from rules.bots.match_players import AnyRules
from rules.bots.thinking import Considered
from rules.game import Json
from rules.strengths import STRENGTHS

_LONGER = 10
"""A hint searches up to this many times the positions of level 5."""
SECONDS = 15.0
"""The most seconds for a hint to a player who waits."""


@dataclass(frozen=True)
class Advised:
    """A move that was considered: how many positions after it were searched, and its chance to win."""

    move: str
    looks: int
    share: float
    reply: str = ""
    """The best reply of the opponent; "" if it is not known."""

    @property
    def percent(self) -> int:
        """The chance to win in percent."""
        return round(100 * self.share)


@dataclass(frozen=True)
class Hint:
    """The best move found, the second best, if there is one, and the number of positions searched."""

    best: Advised
    second: Advised | None
    looks: int
    is_sure: bool = False
    """True if it is certain that no move is better."""

    def to_json(self) -> Json:
        """Return the hint as JSON, for storing."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Json) -> Hint:
        """Return the hint from JSON."""
        second = data["second"]
        is_sure = data.get("is_sure", False)
        return cls(Advised(**data["best"]), Advised(**second) if second else None, data["looks"], is_sure)

    @property
    def reasons(self) -> list[str]:
        """Return the reasons for the move, as sentences to the player."""
        if self.is_sure:
            return ["This is certainly a best move: the computer knows the outcome of every line."]
        if self.second is None:
            return ["This is the only legal move."]
        best, second = self.best, self.second
        sentences = [
            f"The computer searched {self.looks} positions, {best.looks} of them after this move. It estimates "
            f"your chance of winning at {best.percent}%."
        ]
        if best.reply:
            sentences.append(f"The best reply it found is {best.reply}.")
        sentences.append(
            f"The second best move is {second.move}: {second.looks} of the positions, and a chance of "
            f"{second.percent}%."
        )
        return sentences


def find(
    rules: AnyRules,
    position: Any,
    seat: int,
    seats: int,
    below: Callable[[int], int],
    *,
    seconds: float | None = None,
) -> Hint:
    """Return a hint for `seat`, which has to move; `seats` is the number of seats. Takes at most `seconds`.

    It does not know other players' secret orders: it assumes their best ones.
    """
    strength = STRENGTHS[-1].by_nodes(_LONGER)
    thought = players.think(rules, position, seat, seats, strength, below, seconds=seconds)
    found = [_advised(rules, each) for each in thought.considered[:2]]
    return Hint(found[0], found[1] if len(found) > 1 else None, thought.nodes, thought.is_sure)


def _advised(rules: AnyRules, move: Considered[Any]) -> Advised:
    share = min(max(move.value, 0.0), 1.0)
    reply = "" if move.reply is None else rules.format(move.reply)
    return Advised(rules.format(move.move), move.visits, share, reply)

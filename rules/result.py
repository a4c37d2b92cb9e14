"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

OUTCOMES = ("won", "lost", "drawn", "abandoned")
"""What a result can be for a seat."""


@dataclass(frozen=True)
class Result:
    """How a game ended.

    `winners` lists the winning seat, two or more seats that share a draw, or none when a game was abandoned;
    `reason` is one of the words on the rules page of the game, or a `Reason`. `scores` by seat where the rules
    counts something, `places` by rank where seats leave one after the other; `why` are the words of whoever
    decided it, where an administrator did.
    """

    winners: tuple[int, ...]
    reason: str
    scores: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None
    why: str = ""

    def outcome(self, seat: int) -> str:
        """What it is for one seat, as one of OUTCOMES."""
        if seat in self.winners:
            return "drawn" if self.winners[1:] else "won"
        return "lost" if self.winners else "abandoned"

    def to_json(self) -> dict[str, Any]:
        """The result as it stands in records: `scores`, `places` and `why` only where there are any."""
        data: dict[str, Any] = {"winners": list(self.winners), "reason": str(self.reason)}
        if self.scores is not None:
            data["scores"] = list(self.scores)
        if self.places is not None:
            data["places"] = list(self.places)
        if self.why:
            data["why"] = self.why
        return data

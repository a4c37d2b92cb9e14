"""Results of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

OUTCOMES = ("won", "lost", "drawn", "abandoned")
"""The outcomes of a game for one seat."""


@dataclass(frozen=True)
class Result:
    """The result of a game.

    `winners` lists the winning seat, the seats that share a draw, or no seat if the game was abandoned.
    `reason` is one of the words on the rules page of the game, or a `Reason`. `scores` are by seat, if the
    rules count something. `places` are by rank, if seats leave one after the other. `why` is the explanation of
    an administrator who decided the game.
    """

    winners: tuple[int, ...]
    reason: str
    scores: tuple[int, ...] | None = None
    places: tuple[int, ...] | None = None
    why: str = ""

    def outcome(self, seat: int) -> str:
        """Return the outcome for one seat, one of OUTCOMES: for example "won"."""
        if seat in self.winners:
            return "drawn" if self.winners[1:] else "won"
        return "lost" if self.winners else "abandoned"

    def to_json(self) -> dict[str, Any]:
        """Return the result as in records, for example `{"winners": [0], "reason": "resigned"}`.

        It contains `scores`, `places` and `why` only if there are any.
        """
        data: dict[str, Any] = {"winners": list(self.winners), "reason": str(self.reason)}
        if self.scores is not None:
            data["scores"] = list(self.scores)
        if self.places is not None:
            data["places"] = list(self.places)
        if self.why:
            data["why"] = self.why
        return data

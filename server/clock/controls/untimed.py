"""The time control none: there is no deadline."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self
from zoneinfo import ZoneInfo

from server.clock.controls.control import Control, SeatTime, words_of

_WRITTEN = frozenset(
    {
        "none",
        "no",
        "off",
        "never",
        "untimed",
        "unlimited",
        "no limit",
        "no time limit",
        "no deadline",
        "no deadlines",
    }
)


@dataclass(frozen=True)
class Untimed(Control):
    """No deadline."""

    as_in = "none"
    hint = "none: no deadline"
    timed = False

    @classmethod
    def read(cls, text: str, zone: ZoneInfo) -> Self | None:
        """Read the word "none", or a word with that meaning."""
        return cls() if " ".join(words_of(text)).lower().rstrip(".") in _WRITTEN else None

    def write(self) -> str:
        """Return the canonical text: "none"."""
        return self.as_in

    def in_words(self) -> str:
        """Return the sentence that there is no deadline."""
        return "There is no deadline."

    def due(self, time: SeatTime) -> datetime:
        """Raise ValueError: there is no deadline."""
        raise ValueError("a game without deadlines")

"""The time control 3d: a fixed time for each move."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from server.clock.controls.control import Control, SeatTime, without_move, words_of
from server.clock.pauses import walk
from server.clock.spans import HOUR, YEAR, in_words, limited, names_span, read_span, write_span


@dataclass(frozen=True)
class PerMove(Control):
    """`span` for each move, from an hour to a year."""

    as_in = "3d for each move"
    hint = "3d: three days for each move"

    span: timedelta

    @classmethod
    def read(cls, text: str, zone: ZoneInfo) -> Self | None:
        """Read a text that begins with a number or a length of time: "3d", "a week", "3 days per move"."""
        span = without_move(text)
        if not (words_of(text)[0][0].isdigit() or names_span(span)):
            return None
        return cls(limited(read_span(span), "The time for a move", HOUR, YEAR))

    def write(self) -> str:
        """Return the canonical text: "3d"."""
        return write_span(self.span)

    def in_words(self) -> str:
        """Return the time for a move, for example “Each move may take up to 3 days.”"""
        return f"Each move may take up to {in_words(self.span)}."

    @property
    def usual(self) -> timedelta:
        """The span for one move."""
        return self.span

    def due(self, time: SeatTime) -> datetime:
        """Return the end of the span."""
        return walk(time.began, self.span, time.halts())

"""The time control 7d+1d/14d: a time bank that grows with each move."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from server.clock.controls.control import Control, SeatTime, without_move
from server.clock.pauses import walk
from server.clock.spans import HOUR, YEAR, ZERO, in_words, limited, read_span, write_span

_PLUS = re.compile(" plus ", re.IGNORECASE)


@dataclass(frozen=True)
class Bank(Control):
    """A time bank that starts with `start` and gets `increment` after each move, up to `cap`, which is at least
    as large as both.
    """

    as_in = "7d+1d/14d for a bank"
    hint = "7d+1d/14d: 7 days in a time bank, and 1 day more after each move, up to 14 days"

    start: timedelta
    increment: timedelta
    cap: timedelta

    @classmethod
    def read(cls, text: str, zone: ZoneInfo) -> Self | None:
        """Read a text such as "7d+1d/14d". The default cap is twice the larger of bank and increment."""
        start_text, plus, rest = _PLUS.sub("+", without_move(text)).partition("+")
        if not plus:
            return None
        increment_text, slash, cap_text = rest.partition("/")
        start = limited(read_span(start_text), "The bank", HOUR, YEAR)
        increment = read_span(increment_text)
        least = max(start, increment)
        if not slash:
            return cls(start, increment, min(2 * least, YEAR))
        return cls(start, increment, limited(read_span(cap_text), "The cap on the bank", least, YEAR))

    def write(self) -> str:
        """Return the canonical text: "7d+1d/14d"."""
        return f"{write_span(self.start)}+{write_span(self.increment)}/{write_span(self.cap)}"

    def in_words(self) -> str:
        """Return the time in the bank, and the increment."""
        bank = (
            f"Each player has a time bank of {in_words(self.start)}, from which the time for each move is taken"
        )
        if not self.increment:
            return f"{bank}; nothing is added."
        return f"{bank}; each move adds {in_words(self.increment)}, up to {in_words(self.cap)} in total."

    @property
    def usual(self) -> timedelta:
        """The larger of bank and increment: players may use it up for one move."""
        return max(self.start, self.increment)

    def longest(self, turns: int, banks: int) -> timedelta:
        """Return the time in all banks, with what the moves add."""
        return banks * self.start + turns * self.increment

    def due(self, time: SeatTime) -> datetime:
        """Return the time at which the bank is empty."""
        return walk(time.began, time.bank, time.halts())

    @property
    def first_bank(self) -> timedelta:
        """Return the time in the bank at the beginning."""
        return self.start

    def bank_after(self, unused: timedelta) -> timedelta:
        """Return the unused time with the increment, never above the cap."""
        return min(unused + self.increment, self.cap)

    def bank_before(self, bank: timedelta) -> timedelta:
        """Return the bank without the increment, never negative; the time that the move took stays spent."""
        return max(bank - self.increment, ZERO)

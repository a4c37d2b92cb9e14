"""The interface of a time control, and the facts about a seat's time that it uses."""

import heapq
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Self
from zoneinfo import ZoneInfo

from server.clock.pauses import Halt, PausedTime, halts, weekends
from server.clock.spans import DAY, ZERO, names_span

_NOISE = frozenset({"every", "weekly", "on", "and", "at"})


@dataclass(frozen=True)
class SeatTime:
    """The time of a seat in one turn: its start, the time bank then, and the pauses.

    `zone` is the zone whose Saturdays and Sundays are off; None if none are.
    """

    began: datetime
    bank: timedelta
    pauses: tuple[PausedTime, ...]
    zone: ZoneInfo | None

    def halts(self) -> Iterator[Halt]:
        """Yield all stretches during which the clock is paused."""
        return heapq.merge(halts(self.pauses), self.weekends())

    def weekends(self) -> Iterator[Halt]:
        """Yield the pauses that are weekends."""
        return iter(()) if self.zone is None else weekends(self.began, self.zone)


class Control(ABC):
    """A time control. The values of one are its frozen fields; equal texts make equal controls."""

    as_in: ClassVar[str]
    """An example of the text and its meaning: "3d for each move"."""
    hint: ClassVar[str]
    """The same for a form."""
    timed: ClassVar[bool] = True
    """True if there are deadlines."""
    for_orders: ClassVar[bool] = False
    """True if it is only for games with simultaneous orders."""

    @classmethod
    @abstractmethod
    def read(cls, text: str, zone: ZoneInfo) -> Self | None:
        """Return the control that a text, which is not blank, describes; None if the text belongs to another
        control.

        `zone` is the default zone. Raises BadTime for a text of this control with an error.
        """

    @abstractmethod
    def write(self) -> str:
        """Return the canonical text, which `read` reads as the same control in any zone."""

    @abstractmethod
    def in_words(self) -> str:
        """Return the meaning of the control, in one or two sentences for the players."""

    @abstractmethod
    def due(self, time: SeatTime) -> datetime:
        """Return the deadline of a move in UTC, without gifts and the time that an outage adds.

        Raises ValueError without deadlines.
        """

    @property
    def usual(self) -> timedelta | None:
        """Return the usual time for a move; None if there is none, or no deadline."""
        return None

    def longest(self, turns: int, banks: int) -> timedelta:
        """Return how long this many turns can take; one day each without deadlines.

        `banks` is the number of seats that think one after the other: 1 if all think at the same time.
        """
        return turns * (self.usual or DAY)

    @property
    def first_bank(self) -> timedelta:
        """Return the time in each seat's bank when the game starts; zero without a bank."""
        return ZERO

    def bank_after(self, unused: timedelta) -> timedelta:
        """Return the time in the bank after a move that left this much of it unused."""
        return ZERO

    def bank_before(self, bank: timedelta) -> timedelta:
        """Return the bank without the time that the move added before it was taken back."""
        return ZERO

    def check(self, *, simultaneous: bool, weekends: bool) -> None:
        """Raise BadTime for a control that does not fit such a game, or weekends `off`."""
        return  # most controls fit all games

    def weekend_zone(self, zone: ZoneInfo) -> ZoneInfo:
        """Return the zone of the weekends of a player in this zone."""
        return zone

    def oddities(self, now: datetime) -> list[str]:
        """Return sentences for the players about oddities in the year after `now`, such as clock changes."""
        return []

    def weekends_in_words(self, zone: str) -> str:
        """Return a sentence about weekends that are off; they begin and end in `zone`."""
        return f"The clock is paused on Saturdays and Sundays, in {zone}."

    def vacation_in_words(self, granted: str) -> str:
        """Return a sentence about vacation, which begins with `granted`."""
        return f"{granted}, during which their clock is paused."


_PER_MOVE = re.compile(
    r"(?:,? (?:per|for each|for every|each|every|a)|/) ?(?:move|turn)$|,? each$", re.IGNORECASE
)

_ONE_MOVE = re.compile(r"(?:1|one|a) move (?:per|a|every|each) (\S.*)", re.IGNORECASE)


def without_move(text: str) -> str:
    """Return a length of time without words such as "per move": "1 day" of "one move a day"."""
    bare = _PER_MOVE.sub("", " ".join(text.split()).rstrip("."))
    if (moves := _ONE_MOVE.fullmatch(bare)) is None:
        return bare
    return moves[1] if names_span(moves[1]) else f"1 {moves[1]}"


def words_of(text: str) -> list[str]:
    """Return the words of a control, separated by blanks and commas, without filler words."""
    return [word for word in re.split(r"[\s,]+", text) if word and word.lower() not in _NOISE]

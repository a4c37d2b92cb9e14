"""The interface of a time control, and the facts about a seat's time that it uses."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Self
from zoneinfo import ZoneInfo

from server.clock.pauses import Halt, PausedTime, halts, merged, weekends
from server.clock.spans import DAY, ZERO, names_span

_NOISE = frozenset({"every", "weekly", "on", "and", "at"})


@dataclass(frozen=True)
class SeatTime:
    """The time of a seat in one turn: since when it runs, what was in the bank then, when it stands still.

    `zone` is the one whose Saturdays and Sundays stand still; None where they do not.
    """

    began: datetime
    bank: timedelta
    pauses: tuple[PausedTime, ...]
    zone: ZoneInfo | None

    def halts(self) -> Iterator[Halt]:
        """All stretches during which time stands still."""
        return merged(halts(self.pauses), self.weekends())

    def weekends(self) -> Iterator[Halt]:
        """Those of them that are weekends."""
        return iter(()) if self.zone is None else weekends(self.began, self.zone)


class Control(ABC):
    """A time control. The values of one are its frozen fields; equal texts make equal controls."""

    as_in: ClassVar[str]
    """The text that it is read from: "3d for each move"."""
    hint: ClassVar[str]
    """The same for a form."""
    timed: ClassVar[bool] = True
    """True if there are deadlines."""
    for_orders: ClassVar[bool] = False
    """True if it is only for games with simultaneous orders."""

    @classmethod
    @abstractmethod
    def read(cls, text: str, zone: ZoneInfo) -> Self | None:
        """The control that a text, which is not blank, describes; None if it is about another control.

        `zone` is for moments that name none. Raises BadTime for a text that is about this one, and wrong.
        """

    @abstractmethod
    def write(self) -> str:
        """The canonical text, which `read` reads as the same control in any zone."""

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
        """Return how long so many turns can take; a day each without deadlines.

        `banks` is the number of seats that think one after the other: 1 where all think at the same time.
        """
        return turns * (self.usual or DAY)

    @property
    def first_bank(self) -> timedelta:
        """Return the time in each seat's bank when the game begins; zero where there is no bank."""
        return ZERO

    def bank_after(self, unused: timedelta) -> timedelta:
        """Return the time in the bank after a move that left this much of it unused."""
        return ZERO

    def bank_before(self, bank: timedelta) -> timedelta:
        """The bank without what the move that is taken back added to it."""
        return ZERO

    def check(self, *, simultaneous: bool, weekends: bool) -> None:
        """Raise BadTime for a control that does not go with such a game, or with weekends `off`."""
        return  # most go with all

    def weekend_zone(self, zone: ZoneInfo) -> ZoneInfo:
        """Return the weekends of a player in this zone."""
        return zone

    def oddities(self, now: datetime) -> list[str]:
        """Sentences for the players about oddities in the year after `now`, such as clock changes."""
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
    """A length of time without the words that say that it is for a move: "3 days" of "3 days per move".

    That of "one move a day" is "1 day".
    """
    bare = _PER_MOVE.sub("", " ".join(text.split()).rstrip("."))
    if (moves := _ONE_MOVE.fullmatch(bare)) is None:
        return bare
    return moves[1] if names_span(moves[1]) else f"1 {moves[1]}"


def words_of(text: str) -> list[str]:
    """The words of a control, separated by blanks and commas, without those that say nothing."""
    return [word for word in re.split(r"[\s,]+", text) if word and word.lower() not in _NOISE]

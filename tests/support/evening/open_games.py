"""Open games at which people meet strangers: who opens them, and who joins."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rules.registry import RULES
from tests.support.evening.guests import Lease, in_groups
from tests.support.evening.hands import Hands

_PAGES = 4
"""Pages of the lobby that somebody turns."""
_OPENED = re.compile(r"It is game (\d+)[.,]")


@dataclass(frozen=True)
class OpenGame:
    """An open game: its game type, the options of anyone who opens it, and how many come to sit there."""

    game_type: str
    options: Mapping[str, str] = field(default_factory=dict)
    people: int = 2
    whole: bool = False
    """Whether it is played to its end."""
    silent: bool = False
    """Whether no one ever moves there."""
    short: bool = False
    """Whether it starts with fewer players than seats, because all agree."""


@dataclass
class Sitting:
    """A table with the people at it, and the number of its game; the first has opened it."""

    table: OpenGame
    people: list[Lease]
    number: int = 0

    def gather(self, hands: Hands) -> None:
        """Open it, find it where such games are listed, and join it; begin with fewer where that is wanted."""
        first, *others = self.people
        self.number = self._open_on_web(first) if first.by_web() else self._open_by_mail(first)
        if self.table.whole:
            hands.whole.add(self.number)
        if self.table.silent:
            hands.silent.add(self.number)
        for other in others:
            if other.by_web():
                self._join_on_web(other)
            else:
                self._join_by_mail(other)
        if self.table.short:
            for each in self.people:
                each.ask(f"start {self.number}", f" {self.number}")

    def _open_by_mail(self, first: Lease) -> int:
        wishes = " ".join(f"{name}={value}" for name, value in self.table.options.items())
        told = first.ask(f"seek {self.table.game_type} {wishes}", "Your game of", "is open to")
        found = _OPENED.search(told)
        assert found is not None, told
        return int(found[1])

    def _open_on_web(self, first: Lease) -> int:
        page, own = f"/games/new/{self.table.game_type}", RULES[self.table.game_type].offered
        fields = {
            f"option-{name}" if name in own else name: value for name, value in self.table.options.items()
        }
        with first.browser.alone:
            first.browser.get(page)
            told = first.browser.send(page, whom="anyone", **fields)
            found = re.fullmatch(r"/games/(\d+)", first.browser.address)
        assert found is not None, told
        first.sit_at(int(found[1]))
        return int(found[1])

    def _join_by_mail(self, other: Lease) -> None:
        listed = other.ask(f"open {self.table.game_type}", "Open games")
        assert f" {self.number}" in listed, f"{self.number} is not in: {listed}"
        other.ask(f"join {self.number}", f" {self.number}")

    def _join_on_web(self, other: Lease) -> None:
        # Others open and join games meanwhile: while the pages are turned, a game may move to the one before.
        pages = (other.browser.get(f"/lobby?page={page}") for page in [*range(1, _PAGES + 1)] * 3)
        assert any(f" {self.number} " in page for page in pages), f"{self.number} is not in the lobby"
        other.browser.send(f"/games/{self.number}/join")
        other.sit_at(self.number)


def seat(tables: Sequence[OpenGame], guests: Sequence[Lease]) -> list[Sitting]:
    """One table after the other, each with the next of the guests."""
    groups = in_groups((table.people for table in tables), guests)
    return [Sitting(table, people) for table, people in zip(tables, groups, strict=True)]

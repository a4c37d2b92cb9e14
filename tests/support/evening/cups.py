"""The tournaments of the evening: who makes each, by which way, and who enters it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.support.evening.guests import Lease, in_groups

_MADE = re.compile(r"/tournaments/(\d+)")


@dataclass(frozen=True)
class Cup:
    """A tournament: its name, the type and size of its games, and its plan."""

    name: str
    game_type: str
    plan: Mapping[str, str]
    people: int
    size: str = ""

    @property
    def places(self) -> int:
        """How many take part; others wait for a place."""
        return int(self.plan["places"].rpartition("-")[2])


@dataclass
class Meeting:
    """A cup with those who enter it, and its number; the first has made it."""

    cup: Cup
    people: list[Lease]
    number: int = 0

    def sign_up(self) -> None:
        """Create the tournament, and enter all players one after the other."""
        first = self.people[0]
        self.number = self._make_on_web(first) if first.by_web() else self._make_by_mail(first)
        for before, each in enumerate(self.people):
            has_place = before < self.cup.places
            words = f"You have joined {self.cup.name}." if has_place else "are taken: you wait for one."
            if each.by_web():
                self.page(each)
                told = each.browser.send(f"/tournaments/{self.number}/join")
                assert words in told, told
            else:
                listed = each.ask("tournaments", self.cup.name)
                assert re.search(
                    rf"Tournament {self.number} \S+ tournament “{re.escape(self.cup.name)}”", listed
                ), listed
                each.ask(f"enter {self.number}", words)

    def page(self, reader: Lease) -> str:
        """Return the text of its page for a player."""
        return reader.browser.get(f"/tournaments/{self.number}")

    def _make_by_mail(self, first: Lease) -> int:
        given = {"size": self.cup.size, **self.cup.plan} if self.cup.size else self.cup.plan
        options = " ".join(f"{name}={value}" for name, value in given.items())
        told = first.ask(f"tournament {self.cup.name} {self.cup.game_type} {options}", "is open for sign-up")
        return _number(told)

    def _make_on_web(self, first: Lease) -> int:
        page = f"/tournaments/new/{self.cup.game_type}"
        first.browser.get(page)
        size = {"option-size": self.cup.size} if self.cup.size else {}
        told = first.browser.send(page, name=self.cup.name, **self.cup.plan, **size)
        assert "open for sign-up" in told, told
        return _number(first.browser.address)


def _number(told: str) -> int:
    found = _MADE.search(told)
    assert found is not None, told
    return int(found[1])


def invite(cups: Sequence[Cup], guests: Sequence[Lease]) -> list[Meeting]:
    """One cup after the other, each with the next of the guests."""
    groups = in_groups((cup.people for cup in cups), guests)
    return [Meeting(cup, people) for cup, people in zip(cups, groups, strict=True)]

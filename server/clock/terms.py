"""The terms of a game: everything about time that is decided when the game is created."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, Self, TypeVar
from zoneinfo import ZoneInfo

from rules.sentences import quoted
from server.clock.controls import Control, read_control
from server.clock.errors import BadTime
from server.clock.spans import DAY, HOUR, ZERO, limited, read_span, write_span
from server.wording import on_or_off

TIME = "3d"
"""The default time control of a challenge."""

MISSES = tuple("123456789")
"""The most turns in a row that a seat can miss before the game ends for it."""

T = TypeVar("T")


class Timeout(StrEnum):
    """The consequence when a seat's time and grace are over."""

    LOSE = "lose"
    """The seat loses, or leaves if the others play on."""
    CLAIM = "claim"
    """An opponent may claim the game; until then a late move is accepted."""


class Consequence(StrEnum):
    """The server's action for a seat whose time and grace are over."""

    LOSE = "lose"
    CLAIM = "claim"
    MISS = "miss"
    """The turn is played without its orders."""


@dataclass(frozen=True)
class Terms:
    """The options of a game about time. An option without effect has its default value.

    `weekends` is true if clocks run on Saturdays and Sundays; a move counts until `grace` after its deadline.
    Only for simultaneous orders: a turn waits `delay` once all are in, and the `misses`-th turn in a row
    without orders ends the game for a seat as in `timeout`.
    """

    control: Control
    simultaneous: bool
    weekends: bool = True
    grace: timedelta = HOUR
    delay: timedelta = ZERO
    misses: int = 3
    timeout: Timeout = Timeout.LOSE

    @classmethod
    def from_options(cls, given: Mapping[str, object], zone: ZoneInfo, *, simultaneous: bool) -> Self:
        """Read the options of a challenge, `OPTIONS` at most; `zone` is the challenger's, for fixed moments.

        Raises BadTime for a value that cannot be used, and for an option without effect, unless it has its
        default value.
        """
        texts = {name: str(value).strip() for name, value in given.items()}
        for name in texts:
            if name not in OPTIONS:
                raise BadTime(f"{quoted(name)} is not an option about time; those are: {', '.join(OPTIONS)}.")
        terms = cls(
            control=read_control(texts.get("time", TIME), zone),
            simultaneous=simultaneous,
            weekends=_switch(texts, "weekends", cls.weekends),
            grace=_span(texts, "grace", cls.grace, DAY),
            delay=_span(texts, "delay", cls.delay, HOUR),
            misses=_misses(texts.get("misses", str(cls.misses))),
            timeout=_choice(texts, "timeout", {"lose": Timeout.LOSE, "claim": Timeout.CLAIM}, cls.timeout),
        )
        terms._check()
        return terms

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the terms from JSON that `to_json` wrote. Raises BadTime for other data."""
        options = {name: value for name, value in data.items() if name != "simultaneous"}
        return cls.from_options(options, ZoneInfo("UTC"), simultaneous=bool(data.get("simultaneous")))

    def to_json(self) -> dict[str, Any]:
        """Return all options in canonical text, in the order of `OPTIONS`, and if orders are simultaneous."""
        texts = {
            "time": self.control.write(),
            "weekends": "on" if self.weekends else "off",
            "grace": write_span(self.grace),
            "timeout": str(self.timeout),
            "delay": write_span(self.delay),
            "misses": str(self.misses),
        }
        names = OPTIONS if self.simultaneous else OPTIONS[:4]
        return {name: texts[name] for name in names} | {"simultaneous": self.simultaneous}

    def overdue(self, misses: int) -> Consequence:
        """Return the consequence when a seat's time and grace are over, after `misses` missed turns."""
        if self.simultaneous and misses + 1 < self.misses:
            return Consequence.MISS
        return Consequence(self.timeout)

    def _check(self) -> None:
        """Raise BadTime for options that contradict each other or have no effect."""
        self.control.check(simultaneous=self.simultaneous, weekends=self.weekends)
        if not self.simultaneous:
            for name in ("delay", "misses"):
                self._check_default(name, "this game has no simultaneous orders")
        if not self.control.timed:
            for name in ("weekends", "grace", "misses", "timeout"):
                self._check_default(name, "there is no deadline")

    def _check_default(self, name: str, why: str) -> None:
        if getattr(self, name) != getattr(type(self), name):
            raise BadTime(
                lambda where: f"“{where.option(name)}” would have no effect, because {why}; leave it out."
            )


OPTIONS = ("time", "weekends", "grace", "timeout", "delay", "misses")
"""The names of all options about time; the last two are for simultaneous orders."""


def _span(texts: Mapping[str, str], name: str, default: timedelta, most: timedelta) -> timedelta:
    if name not in texts:
        return default
    return limited(read_span(texts[name]), lambda where: f"“{where.option(name)}”", ZERO, most)


def _choice(texts: Mapping[str, str], name: str, choices: Mapping[str, T], default: T) -> T:
    if name not in texts:
        return default
    try:
        return choices[texts[name].lower()]
    except KeyError:
        raise BadTime(
            lambda where: (
                f"{quoted(texts[name])} is not a choice for “{where.option(name)}”; write "
                f"{where.option(name, *choices)}."
            )
        ) from None


def _switch(texts: Mapping[str, str], name: str, default: bool) -> bool:
    is_on = on_or_off(texts.get(name, ""))
    return _choice(texts, name, {"on": True, "off": False}, default) if is_on is None else is_on


def _misses(text: str) -> int:
    if text in MISSES:
        return int(text)
    raise BadTime(
        lambda where: (
            f"{quoted(text)} is not a number of turns to miss; write {where.option('misses', '3')}, or another "
            "from 1 to 9."
        )
    )

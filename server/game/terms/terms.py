"""What is agreed for a game besides the options of its rules, the same for all games."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from server.clock.controls import read_control
from server.clock.errors import BadTime
from server.clock.spans import in_words
from server.clock.terms import OPTIONS, TIME, Terms, Timeout
from server.clock.words import example, what_holds
from server.errors import BadRequest, refusing
from server.store.models import Json
from server.store.models.games import SHOW_READY
from server.wording import on_or_off

STALE = timedelta(days=30)
"""A game in which nothing happens for this long, and nothing is due, is abandoned."""
PACES = (
    ("1d", "A day for each move"),
    ("3d", "Three days for each move"),
    ("7d+1d", "A week in the bank, and a day more after each move"),
)
"""Times worth offering by themselves, as a challenge writes them, with the words for them."""
PRIVATE = "private"
"""The option whether the game is shown to its players alone."""
ANONYMOUS = "anonymous"
"""The option whether nobody is told who plays until the game is over."""
RATED = "rated"
"""The option whether the game counts for ratings."""
GAMES = "games"
"""The option how many games follow one another, with seats turned."""
MOST_GAMES = 20
"""Games of a series."""
_GUIDED = "guided"
"""In the terms of a game that explains its rules as it goes."""


@dataclass(frozen=True)
class GameTerms:
    """What holds for one game: about time, what of it is told and to whom, and whether it is rated."""

    time: Terms
    show_ready: bool = True
    """Whether it is told whose orders are in."""
    private: bool = False
    """Whether the game is shown to its players alone."""
    rated: bool | None = None
    """None where it cannot be: if it explains its rules or began elsewhere, or before this could be agreed."""
    games: int = 1
    """How many games follow one another, this one or the first among them."""
    guided: bool = False
    """Whether it explains the rules to its player: it counts for nothing, and ends by itself."""
    anonymous: bool = False
    """Whether nobody is told who plays until the game is over."""

    @classmethod
    def from_json(cls, data: Json) -> "GameTerms":
        """What `to_json` wrote."""
        return _read(tuple(data.items()))

    def to_json(self) -> Json:
        """As in the log: options in canonical text; what few games have is only there where they have it."""
        data: Json = self.time.to_json()
        if self.time.simultaneous:
            data[SHOW_READY] = "on" if self.show_ready else "off"
        if self.rated is not None:
            data[RATED] = "on" if self.rated else "off"
        if self.private:
            data[PRIVATE] = "on"
        if self.anonymous:
            data[ANONYMOUS] = "on"
        if self.games > 1:
            data[GAMES] = str(self.games)
        return data | ({_GUIDED: "on"} if self.guided else {})

    def unusual(self) -> Json:
        """The options, as a challenge writes them, that differ from the defaults."""
        as_ever = usual(simultaneous=self.time.simultaneous)
        given = replace(self, guided=False).to_json()
        return {name: value for name, value in given.items() if value != as_ever[name]}

    def in_words(self, now: datetime, obliged: str = "") -> list[str]:
        """The terms, in sentences for the players; `now` decides what daylight saving may do.

        `obliged` is the sentence of the rules that says in which turns nobody may abstain.
        """
        said = what_holds(self.time, now, "UTC") if self.anonymous else what_holds(self.time, now)
        if obliged and self.time.misses > 1 and self.time.control.timed:
            said.append(f"{obliged} Being too late for that counts as being late {self.time.misses} times.")
        if not self.time.control.timed or self.time.timeout is Timeout.CLAIM:
            said.append(f"A game in which nothing happens for {in_words(STALE)} is abandoned; nobody wins.")
        if self.guided:
            said.append("The game explains its rules as it goes, and counts for nothing.")
        if not self.show_ready:
            said.append("Nobody is told whose orders are in.")
        if self.private:
            said.append("Only its players can see the game.")
        if self.anonymous:
            said.append("Nobody is told who plays until the game is over: players are called by their seats.")
        if self.rated is not None:
            said.append(f"The game is {'rated' if self.rated else 'not rated'}.")
        if self.games > 1:
            said.append(
                f"This is a series of {self.games} games: when one is over the next begins by itself, with "
                "seats turned."
            )
        return said

    def in_brief(self, now: datetime) -> tuple[str, ...]:
        """The time for each move, and whatever is unusual, in sentences."""
        as_ever = GameTerms(Terms(self.time.control, self.time.simultaneous), rated=True).in_words(now)
        said = self.in_words(now)
        return (said[0], *(sentence for sentence in said[1:] if sentence not in as_ever))

    def example(self, now: datetime, zone: ZoneInfo) -> list[str]:
        """A sentence and three deadlines of a game that begins now, for a reader in `zone`; [] without any."""
        return example(self.time, now, ZoneInfo("UTC") if self.anonymous and not self.time.weekends else zone)


@lru_cache(maxsize=256)
def _read(options: tuple[tuple[str, str | bool], ...]) -> GameTerms:
    # Every turn asks for them several times, and many games have the same.
    data = dict(options)
    ours = (SHOW_READY, PRIVATE, ANONYMOUS, RATED, GAMES, _GUIDED)
    time = {name: value for name, value in data.items() if name not in ours}
    show_ready, private = data.get(SHOW_READY, "on") == "on", data.get(PRIVATE, "off") == "on"
    rated = data[RATED] == "on" if RATED in data else None
    anonymous = data.get(ANONYMOUS, "off") == "on"
    return GameTerms(
        Terms.from_json(time), show_ready, private, rated, games_in(data), is_guided(data), anonymous
    )


def is_guided(terms: Json) -> bool:
    """Whether a game with these terms, as they are stored, explains its rules."""
    return _GUIDED in terms


def games_in(terms: Json) -> int:
    """How many games follow one another, by terms as they are stored."""
    return int(terms.get(GAMES, 1))


def usual(*, simultaneous: bool) -> Json:
    """The terms if a challenge says nothing, all of them, in canonical text."""
    time = Terms(read_control(TIME, ZoneInfo("UTC")), simultaneous)
    return {PRIVATE: "off", ANONYMOUS: "off", GAMES: "1", **GameTerms(time, rated=True).to_json()}


def option_names(*, simultaneous: bool) -> tuple[str, ...]:
    """All options of the house that a game can have."""
    of_time = (*OPTIONS, SHOW_READY) if simultaneous else OPTIONS[:4]
    return (*of_time, PRIVATE, ANONYMOUS, RATED, GAMES)


def terms_of_options(
    given: Mapping[str, object], zone: ZoneInfo, *, simultaneous: bool
) -> tuple[GameTerms, dict[str, object]]:
    """The terms that the options of a challenge settle, and the options that are left. Raises BadRequest.

    `zone` is the challenger's: fixed moments that name no zone are in theirs, or in UTC where nobody may know
    who they are.
    """
    left = dict(given)
    show_ready = switch(SHOW_READY, left.pop(SHOW_READY, "on"))
    private = switch(PRIVATE, left.pop(PRIVATE, "off"))
    anonymous = switch(ANONYMOUS, left.pop(ANONYMOUS, "off"))
    rated = switch(RATED, left.pop(RATED, "on"))
    games = count(GAMES, left.pop(GAMES, "1"), MOST_GAMES)
    if not simultaneous and not show_ready:
        raise BadRequest(
            lambda where: f"“{where.option(SHOW_READY)}” is for games with secret orders; leave it out."
        )
    if anonymous and games > 1:
        raise BadRequest("After the first game of a series all know who plays: it cannot be anonymous.")
    about_time = {name: left.pop(name) for name in OPTIONS if name in left}
    with refusing(BadTime):
        known = ZoneInfo("UTC") if anonymous else zone
        time = Terms.from_options(about_time, known, simultaneous=simultaneous)
    return GameTerms(time, show_ready, private, rated, games, anonymous=anonymous), left


def count(name: str, value: object, most: int) -> int:
    """The number from 1 to `most`, below 100, that an option says. Raises BadRequest."""
    written = str(value).strip()
    if not (written.isascii() and written.isdigit() and len(written) < 3 and 0 < int(written) <= most):
        raise BadRequest(
            lambda where: f"“{where.option(name)}” is a number from 1 to {most}, not {written:.40}."
        )
    return int(written)


def switch(name: str, value: object) -> bool:
    """Whether an option says "on" or "off". Raises BadRequest."""
    is_on = on_or_off(str(value))
    if is_on is None:
        raise BadRequest(lambda where: f"“{where.option(name)}” is on or off, not {value!s:.40}.")
    return is_on

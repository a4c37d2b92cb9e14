"""The terms of a game: everything that its players agree on besides the options of its rules."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from rules.sentences import shortened
from server.clock.controls import read_control
from server.clock.errors import BadTime
from server.clock.spans import in_words
from server.clock.terms import OPTIONS, TIME, Terms, Timeout
from server.clock.terms_in_words import example, explain
from server.errors import BadRequest, refusing
from server.store.models import Json
from server.store.models.games import SHOW_READY
from server.wording import on_or_off

STALE = timedelta(days=30)
"""A game without a deadline is abandoned after this time without activity."""
PACES = (
    ("1d", "A day for each move"),
    ("3d", "Three days for each move"),
    ("7d+1d", "A time bank of a week, and a day more after each move"),
)
"""Suggested time controls, as a challenge contains them, each with a description."""
PRIVATE = "private"
"""The option for a game that only its players can see."""
ANONYMOUS = "anonymous"
"""The option for a game that hides the players' names until it is over."""
RATED = "rated"
"""The option for a game that counts for ratings."""
GAMES = "games"
"""The option for the number of games in a series, in which the players change seats."""
MOST_GAMES = 20
"""The most games in a series."""
_GUIDED = "guided"
"""The key, in stored terms, of a game that explains its rules during play."""


@dataclass(frozen=True)
class GameTerms:
    """The terms of one game: time, visibility, rating."""

    time: Terms
    show_ready: bool = True
    """Whether the players see whose orders are in."""
    private: bool = False
    """Whether only its players can see the game."""
    rated: bool | None = None
    """None for games without a choice: guided games, and games that began on another server."""
    games: int = 1
    """The number of games in the series, 1 for a single game."""
    guided: bool = False
    """Whether the game explains the rules to its player: it does not count, and ends automatically."""
    anonymous: bool = False
    """Whether the players' names are hidden until the game is over."""

    @classmethod
    def from_json(cls, data: Json) -> "GameTerms":
        """Return the terms in JSON that `to_json` has written."""
        return _read(tuple(data.items()))

    def to_json(self) -> Json:
        """Return the terms for the log: options in canonical text; rare ones only if they are set."""
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
        """Return the options that differ from the defaults, as a challenge contains them."""
        defaults = usual(simultaneous=self.time.simultaneous)
        given = replace(self, guided=False).to_json()
        return {name: value for name, value in given.items() if value != defaults[name]}

    def in_words(self, now: datetime, players: int, obliged: str = "") -> list[str]:
        """Return the terms in sentences for `players` players; `now` decides about daylight saving time.

        `obliged` is the sentence of the rules that names the turns in which a player must not abstain.
        """
        said = explain(self.time, now, players, "UTC") if self.anonymous else explain(self.time, now, players)
        if obliged and self.time.misses > 1 and self.time.control.timed:
            said.append(f"{obliged} Missing that deadline counts as being late {self.time.misses} times.")
        if not self.time.control.timed or self.time.timeout is Timeout.CLAIM:
            said.append(f"A game without activity for {in_words(STALE)} is abandoned, without a winner.")
        if self.guided:
            said.append("The game explains its rules during play, and does not count.")
        if not self.show_ready:
            said.append("Players cannot see which players have sent orders.")
        if self.private:
            said.append("Only its players can see the game.")
        if self.anonymous:
            said.append("The players' names are hidden until the game is over: only their seats are shown.")
        if self.rated is not None:
            said.append(f"The game is {'rated' if self.rated else 'not rated'}.")
        if self.games > 1:
            said.append(
                f"This is a series of {self.games} games: when one is over, the next starts "
                "automatically, and the players change seats."
            )
        return said

    def in_brief(self, now: datetime, players: int, obliged: str = "") -> tuple[str, ...]:
        """Return sentences about the time for each move, and about unusual terms, as in `in_words`."""
        usual_terms = GameTerms(Terms(self.time.control, self.time.simultaneous), rated=True)
        usual_words = usual_terms.in_words(now, players)
        said = self.in_words(now, players, obliged)
        return (said[0], *(sentence for sentence in said[1:] if sentence not in usual_words))

    def example(self, now: datetime, zone: ZoneInfo) -> list[str]:
        """Return a sentence and three example deadlines of a game that starts now; [] without deadlines.

        The deadlines are in `zone`, that of the reader.
        """
        return example(self.time, now, ZoneInfo("UTC") if self.anonymous and not self.time.weekends else zone)


@lru_cache(maxsize=256)
def _read(options: tuple[tuple[str, str | bool], ...]) -> GameTerms:
    # Cached: every turn reads the terms several times, and many games have the same.
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
    """Return whether a game with these stored terms is guided: it explains its rules before each turn."""
    return _GUIDED in terms


def games_in(terms: Json) -> int:
    """Return the number of games in the series, from stored terms."""
    return int(terms.get(GAMES, 1))


def usual(*, simultaneous: bool) -> Json:
    """Return all default terms, in canonical text."""
    time = Terms(read_control(TIME, ZoneInfo("UTC")), simultaneous)
    return {PRIVATE: "off", ANONYMOUS: "off", GAMES: "1", **GameTerms(time, rated=True).to_json()}


def option_names(*, simultaneous: bool) -> tuple[str, ...]:
    """Return the names of all options, besides those of the rules, that a game can have."""
    of_time = (*OPTIONS, SHOW_READY) if simultaneous else OPTIONS[:4]
    return (*of_time, PRIVATE, ANONYMOUS, RATED, GAMES)


def terms_of_options(
    given: Mapping[str, object], zone: ZoneInfo, *, simultaneous: bool
) -> tuple[GameTerms, dict[str, object]]:
    """Split the options of a challenge into the terms and the remaining options. Raises BadRequest.

    For example, of `time=3d size=10` the time belongs to the terms, and the size remains for the rules.
    `zone` is the challenger's: fixed moments without a zone are in this one, or in UTC in anonymous games,
    where the zone would be a hint.
    """
    left = dict(given)
    show_ready = switch(SHOW_READY, left.pop(SHOW_READY, "on"))
    private = switch(PRIVATE, left.pop(PRIVATE, "off"))
    anonymous = switch(ANONYMOUS, left.pop(ANONYMOUS, "off"))
    rated = switch(RATED, left.pop(RATED, "on"))
    games = count(GAMES, left.pop(GAMES, "1"), MOST_GAMES)
    if not simultaneous and not show_ready:
        raise BadRequest(
            lambda where: f"“{where.option(SHOW_READY)}” is for games with secret orders. Leave it out."
        )
    if anonymous and games > 1:
        raise BadRequest(
            "A series cannot be anonymous, because the players know each other after its first game."
        )
    about_time = {name: left.pop(name) for name in OPTIONS if name in left}
    with refusing(BadTime):
        known = ZoneInfo("UTC") if anonymous else zone
        time = Terms.from_options(about_time, known, simultaneous=simultaneous)
    return GameTerms(time, show_ready, private, rated, games, anonymous=anonymous), left


def count(name: str, value: object, most: int) -> int:
    """Return the value of an option, a number from 1 to `most` (at most 99). Raises BadRequest."""
    written = str(value).strip()
    if not (written.isascii() and written.isdigit() and len(written) < 3 and 0 < int(written) <= most):
        raise BadRequest(
            lambda where: f"“{where.option(name)}” must be a number from 1 to {most}, not {shortened(written)}."
        )
    return int(written)


def switch(name: str, value: object) -> bool:
    """Return the value of an option as a bool: True for "on", False for "off". Raises BadRequest."""
    is_on = on_or_off(str(value))
    if is_on is None:
        raise BadRequest(
            lambda where: f"“{where.option(name)}” must be on or off, not {shortened(str(value))}."
        )
    return is_on

"""The length of games in a tournament, and so the necessary length of a round."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from rules.game import Json, Rules
from server.clock.spans import DAY, YEAR, in_words, write_span
from server.clock.terms import Terms
from server.errors import BadRequest

_LEAST_SHARE = 4
"""A round is refused if it is shorter than the usual one divided by this number."""


@dataclass(frozen=True)
class GameLength:
    """The length of a tournament's games; its properties are lengths of rounds."""

    title: str
    """The name of the game, such as "Nibble"."""
    turns: int
    """The number of turns in an ordinary game."""
    time: str
    """The time control, such as "3 days per move"."""
    ordinary: timedelta
    """The longest time that an ordinary game can take, if every turn takes all of its time."""

    @property
    def usual(self) -> timedelta:
        """The usual length of a round, long enough to finish an ordinary game: at most a year."""
        return min(_whole_days(self.ordinary), YEAR)

    @property
    def least(self) -> timedelta:
        """The shortest round in which a game has a chance of being finished."""
        return _whole_days(self.usual / _LEAST_SHARE)

    def check(self, after: timedelta) -> None:
        """Raise BadRequest for a round in which no game could be finished."""
        if after >= self.least:
            return
        raise BadRequest(
            lambda where: (
                f"No game could be finished in {in_words(after)}: one of {self.title} usually takes "
                f"{self.turns} turns, which at {self.time} can take {in_words(self.ordinary)}. Write "
                f"{where.option('after', write_span(self.least))} or more, choose less time for a move, or "
                f"leave “{where.option('after')}” out."
            )
        )


def length_of(rules: Rules[Any, Any], options: Json, terms: Terms) -> GameLength:
    """Return the length of games of a type with these options and terms, without pauses."""
    turns = rules.usual_turns(options)
    banks = 1 if rules.simultaneous else len(rules.seats(options))
    return GameLength(rules.title, turns, terms.control.write(), terms.control.longest(turns, banks))


def _whole_days(span: timedelta) -> timedelta:
    return -(-span // DAY) * DAY

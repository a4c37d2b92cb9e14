"""Conditions for joining an open game, set by the player who opens it.

They compare with the player's rating in this game type at this pace. A provisional rating counts like any
other; a player without a rating meets no condition about ratings. A player who has answered too few turns meets
every condition about answering in time.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlmodel import Session

from rules.sentences import quoted, shortened
from server.accounts import players
from server.errors import BadRequest
from server.game.log import log
from server.game.ratings import ratings
from server.game.ratings.ratings import RatingSummary
from server.store.models import Game, Json, Player

RATING, IN_TIME, COMPANY = "rating", "in-time", "company"
NAMES = (RATING, IN_TIME, COMPANY)
"""The names of the conditions among the options of an open game."""
ANYBODY, PEOPLE = "anybody", "people"
"""The values of the option `company`: whether computer players join if no one else does."""
_RANGE = re.compile(r"(\d{1,4})? ?[-–] ?(\d{1,4})?", re.ASCII)
_SHARE = re.compile(r"(\d{1,3}) ?%?", re.ASCII)


@dataclass(frozen=True)
class Wanted:
    """The entry conditions of an open game; a field is None if the game does not have that condition."""

    lowest: int | None = None
    """The lowest rating."""
    highest: int | None = None
    """The highest rating."""
    in_time: int | None = None
    """The lowest share of turns answered in time, in percent."""
    company: str | None = None
    """`ANYBODY` or `PEOPLE`; None for the opener's setting."""

    def to_json(self) -> Json:
        """Return the conditions as options that `read` reads."""
        data = {}
        if self.lowest is not None or self.highest is not None:
            lowest, highest = ("" if limit is None else limit for limit in (self.lowest, self.highest))
            data[RATING] = f"{lowest}-{highest}"
        data |= {} if self.in_time is None else {IN_TIME: str(self.in_time)}
        return data if self.company is None else {**data, COMPANY: self.company}

    @property
    def open_to(self) -> str:
        """Return a description of the players who may join: "anyone rated 1400 to 1700"."""
        who = "anyone"
        if self.lowest is not None and self.highest is not None:
            who += f" rated {self.lowest} to {self.highest}"
        elif self.lowest is not None:
            who += f" rated at least {self.lowest}"
        elif self.highest is not None:
            who += f" rated at most {self.highest}"
        if self.in_time is not None:
            who += f" who answers at least {self.in_time}% of their turns in time"
        return who

    def misfit(self, standing: RatingSummary, where: str) -> str:
        """Return sentences about the conditions that a player does not meet; "" if all are met.

        `where` describes the games of the rating: "slow games of Nibble".
        """
        told, rating, in_time = [], standing.rating, standing.reliability
        if rating is None and (self.lowest is not None or self.highest is not None):
            told.append(f"You have no rating in {where} yet. You get one when your first rated game ends.")
        elif rating is not None and not self._spans(rating.number):
            still = ", still provisional" if rating.provisional else ""
            told.append(f"Your rating in {where} is {rating.number}{still}.")
        if self.in_time is not None and in_time is not None and in_time < self.in_time:
            told.append(f"You answered {in_time}% of your latest turns in time.")
        return " ".join(told)

    def _spans(self, rating: int) -> bool:
        return (self.lowest is None or self.lowest <= rating) and (
            self.highest is None or rating <= self.highest
        )


def read(options: Mapping[str, object]) -> tuple[Wanted, dict[str, object]]:
    """Split the options of an open game into its conditions and the remaining options. Raises BadRequest.

    For example, `rating=1400-1700` and `in-time=90` are conditions.
    """
    left = dict(options)
    lowest, highest = _range(str(left.pop(RATING))) if RATING in left else (None, None)
    in_time = _share(str(left.pop(IN_TIME))) if IN_TIME in left else None
    company = _company(str(left.pop(COMPANY))) if COMPANY in left else None
    return Wanted(lowest, highest, in_time, company), left


def conditions_of(game: Game) -> Wanted:
    """Return the entry conditions of a game."""
    return read(game.wanted)[0]


def misfit(session: Session, game: Game, player: Player | None) -> str:
    """Return sentences about the entry conditions of a game that a player does not meet.

    Returns "" if the player meets all conditions, and for visitors (None).
    """
    return misfits(session, [game], player)[log.id_of(game)]


def misfits(session: Session, games: Iterable[Game], player: Player | None) -> dict[int, str]:
    """Return, for each game by its number, sentences about the entry conditions that a player does not meet.

    They are "" if the player meets all conditions, and for visitors (None). The number of queries is constant.
    """
    found = {log.id_of(game): "" for game in games}
    choosy = [game for game in games if game.wanted and player is not None and player.id not in game.asked]
    if player is None or not choosy:
        return found
    stands = ratings.standings(session, players.identity(player))
    for game in choosy:
        pace, title = ratings.pace_of(game.terms), log.rules_of(game).title
        found[log.id_of(game)] = conditions_of(game).misfit(
            stands(game.game_type, pace), f"{pace} games of {title}"
        )
    return found


def check(session: Session, game: Game, player: Player) -> None:
    """Raise BadRequest if a player does not meet an entry condition of a game, with a sentence about it."""
    told = misfit(session, game, player)
    if told:
        raise BadRequest(f"Game {game.id} is for {conditions_of(game).open_to}. {told}")


def _range(written: str) -> tuple[int | None, int | None]:
    found = _RANGE.fullmatch(written.strip())
    limits = found.groups() if found else (None, None)
    lowest, highest = (None if limit is None else int(limit) for limit in limits)
    ends = [limit for limit in (lowest, highest) if limit is not None]
    if not ends or ends != sorted(ends):
        raise BadRequest(
            lambda where: (
                f"{quoted(written)} is not a range of ratings. Write for example "
                f"{where.option(RATING, '1400-1700')}; 1400- means at least 1400, and -1700 at most 1700."
            )
        )
    return lowest, highest


def _share(written: str) -> int:
    found = _SHARE.fullmatch(written.strip())
    share = int(found[1]) if found else 0
    if not 1 <= share <= 100:
        raise BadRequest(
            lambda where: (
                f"“{where.option(IN_TIME)}” must be a percentage of turns from 1 to "
                f"100{where.typed(', for example in-time=90')}, not {shortened(written)}."
            )
        )
    return share


def _company(written: str) -> str:
    company = written.strip().lower()
    if company not in (ANYBODY, PEOPLE):
        raise BadRequest(
            lambda where: (
                f"“{where.option(COMPANY)}” must be {PEOPLE} or {ANYBODY}, not {shortened(written)}. "
                f"With {ANYBODY}, a computer player joins if no one else has for an hour."
            )
        )
    return company

"""Ratings: numbers for how well people play a game type at a pace. `docs/ratings.md` tells how they come about.

They are those of Weng and Lin (2011): a belief about somebody's skill, of which `mu` is the middle, and `sigma`
says how uncertain it is. What a game changes about it is in `skills`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from openskill.models import ThurstoneMostellerFull
from sqlmodel import Session, select

from rules.result import Result
from server.clock.controls import read_control
from server.clock.spans import DAY
from server.game.ratings import punctuality
from server.store.models import Habit, Json, Rating

UTC = ZoneInfo("UTC")
FAST, SLOW = "fast", "slow"
PACES = (FAST, SLOW)
"""Up to a day for each move, and anything else."""
PACES_IN_WORDS = "Fast games are those with at most a day for a move, slow ones all others."
_TIME = "time"
_MIDDLE, _POINTS = 1500, 48
"""What somebody new is shown as, and the points for one of `mu`: with 100 more one wins 62 of 100."""
UNCERTAIN = 5.0
"""The `sigma` above which a rating is provisional: the first five to ten games."""


class Skill(NamedTuple):
    """What is believed of somebody."""

    mu: float
    sigma: float


NEW = Skill(25.0, 25.0 / 3)
"""Of somebody who has played nothing yet."""
_MODEL = ThurstoneMostellerFull()


@dataclass(frozen=True)
class Shown:
    """A rating as people are shown it."""

    number: int
    provisional: bool
    games: int

    def __str__(self) -> str:
        return f"{self.number}{'?' if self.provisional else ''}"


@dataclass(frozen=True)
class RatingSummary:
    """What conditions of a game may ask of a player."""

    rating: Shown | None
    """None before the first game that counts."""
    reliability: int | None
    """The share of their last turns that they answered in time, in percent; None while there are too few."""


def standings(session: Session, player: int) -> Callable[[str, str], RatingSummary]:
    """How the player of this number stands in each game type at each pace: looked up once for all."""
    habit = session.get(Habit, player)
    reliability = None if habit is None else punctuality.reliability(habit.answers)
    found = {
        (rating.game_type, rating.pace): displayed_rating(Skill(rating.mu, rating.sigma), rating.games)
        for rating in session.exec(select(Rating).where(Rating.player_id == player))
    }
    return lambda game_type, pace: RatingSummary(found.get((game_type, pace)), reliability)


def displayed_rating(skill: Skill, games: int) -> Shown:
    """A rating after so many games, as people are shown it."""
    return Shown(points(skill.mu), skill.sigma > UNCERTAIN, games)


def points(mu: float) -> int:
    """The number that people are shown for the middle of what is believed of a skill."""
    return round(_MIDDLE + _POINTS * (mu - NEW.mu))


def pace_of(terms: Json) -> str:
    """At which pace a game with these terms is played."""
    return _pace(terms[_TIME])


@lru_cache(maxsize=1000)
def _pace(time: str) -> str:
    usual = read_control(time, UTC).usual
    return FAST if usual is not None and usual <= DAY else SLOW


def rate(skills: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The skills after a game, by seat; `ranks` are those of `ranks_of`."""
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    rated = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Skill(each.mu, each.sigma) for (each,) in rated]


def ranks_of(result: Result, seats: int) -> list[int]:
    """By seat, the rank from 0; those who share a draw are equal, as are losers whom nothing ranks."""
    ranks = [len(result.winners)] * seats
    for place, seat in enumerate(result.places or ()):
        ranks[seat] = place
    for seat in result.winners:
        ranks[seat] = 0
    return ranks

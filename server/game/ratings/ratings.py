"""Ratings: how well players play a game type at a pace. `docs/ratings.md` explains them.

They follow Weng and Lin (2011): an estimate of a player's skill with the mean `mu` and the uncertainty `sigma`.
`rate` computes how a game changes them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import NamedTuple
from zoneinfo import ZoneInfo

from openskill.models import ThurstoneMostellerFull
from sqlmodel import Session, col, select

from rules.result import Result
from rules.strengths import LEVELS
from server.accounts import computer_players
from server.accounts.computer_characters import COMPUTER_PLAYERS
from server.clock.controls import read_control
from server.clock.spans import DAY
from server.game.ratings import punctuality
from server.store.models import Habit, Json, Rating

UTC = ZoneInfo("UTC")
FAST, SLOW = "fast", "slow"
PACES = (FAST, SLOW)
"""Fast: at most a day for each move. Slow: all other games."""
PACES_IN_WORDS = "Fast games allow at most a day for each move. All others are slow."
_TIME = "time"
_MIDDLE, _POINTS = 1500, 48
"""The displayed rating of a new player, and the points for 1 `mu`. 100 points more win 62 of 100 games."""
UNCERTAIN = 5.0
"""The `sigma` above which a rating is provisional, which takes about five to ten games."""
_LEVEL_STEP, _LEVEL_SIGMA = 125, 25.0 / 6
"""The points between two levels of computer players without games, and the uncertainty of these estimates.

Each level should score at least 65% against the one below, as with 125 points more.
"""
MOST_AHEAD = 400
"""The most points that a player may have more than a computer player for a rated game against it.

With 400 points more, a player wins about 89 of 100 games. Without this limit, a rating that is won from a weak
computer player would rise with every game.
"""
_MODEL = ThurstoneMostellerFull()


class Skill(NamedTuple):
    """An estimate of a player's skill: its mean `mu` and its uncertainty `sigma`."""

    mu: float
    sigma: float


NEW = Skill(25.0, 25.0 / 3)
"""The skill of a player without games."""


@dataclass(frozen=True)
class Shown:
    """A rating as players see it: "1516", or "1516?" while it is provisional, after `games` rated games."""

    number: int
    provisional: bool
    games: int

    def __str__(self) -> str:
        return f"{self.number}{'?' if self.provisional else ''}"


@dataclass(frozen=True)
class RatingSummary:
    """A player's rating and reliability, with which entry conditions of open games are compared."""

    rating: Shown | None
    """None before the first rated game."""
    reliability: int | None
    """The share of the latest turns answered in time, in percent; None for too few turns."""


def standings(session: Session, player: int) -> Callable[[str, str], RatingSummary]:
    """Return a function from game type and pace to a player's rating and reliability. It runs no queries."""
    habit = session.get(Habit, player)
    reliability = None if habit is None else punctuality.reliability(habit.answers)
    found = {
        (rating.game_type, rating.pace): displayed_rating(Skill(rating.mu, rating.sigma), rating.games)
        for rating in session.exec(select(Rating).where(Rating.player_id == player))
    }
    return lambda game_type, pace: RatingSummary(found.get((game_type, pace)), reliability)


def displayed_rating(skill: Skill, games: int) -> Shown:
    """Return the rating that players see for a skill after a number of rated games."""
    return Shown(points(skill.mu), skill.sigma > UNCERTAIN, games)


def skill_of_level(level: int) -> Skill:
    """Return the estimated skill of a computer player without games."""
    return Skill(NEW.mu + (level - median(LEVELS)) * _LEVEL_STEP / _POINTS, _LEVEL_SIGMA)


def points(mu: float) -> int:
    """Return the mean of a skill as the number that players see, such as 1516."""
    return round(_MIDDLE + _POINTS * (mu - NEW.mu))


def pace_of(terms: Json) -> str:
    """Return the pace of a game with these stored terms, such as "slow"."""
    return _pace(terms[_TIME])


@lru_cache(maxsize=1000)
def _pace(time: str) -> str:
    usual = read_control(time, UTC).usual
    return FAST if usual is not None and usual <= DAY else SLOW


def rate(skills: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """Return the new skills of the players after a game, by seat; `ranks` come from `ranks_of`."""
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    rated = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Skill(each.mu, each.sigma) for (each,) in rated]


def ranks_of(result: Result, seats: int) -> list[int]:
    """Return the rank of each seat, 0 for winners; players who share a draw are equal, as are other losers."""
    ranks = [len(result.winners)] * seats
    for place, seat in enumerate(result.places or ()):
        ranks[seat] = place
    for seat in result.winners:
        ranks[seat] = 0
    return ranks


def levels_by_distance(session: Session, player: int, game_type: str, pace: str) -> list[int]:
    """Return the levels of all computer players, those with ratings nearest to the player's first.

    For a player without a rating the weakest level comes first.
    """
    own = standings(session, player)(game_type, pace).rating
    ratings = ratings_by_strength(session, game_type, pace)
    return sorted(ratings, key=lambda level: (0 if own is None else abs(ratings[level] - own.number), level))


def ratings_by_strength(session: Session, game_type: str, pace: str) -> dict[int, int]:
    """Return the rating of each level in a game type at a pace, or an estimate until it has one."""
    found = {each.level: points(skill_of_level(each.level).mu) for each in COMPUTER_PLAYERS}
    levels = {player.id: player.strength or 0 for player in computer_players.members(session)}
    theirs = col(Rating.player_id).in_(levels), Rating.game_type == game_type, Rating.pace == pace
    rated = [
        (levels[number], mu) for number, mu in session.exec(select(Rating.player_id, Rating.mu).where(*theirs))
    ]
    return found | {level: points(mu) for level, mu in rated if level in found}

"""A player's public profile, for their page and for the answer to `who`.

It only contains finished games, so it does not reveal the games that a player is playing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, func, select

from rules.registry import RULES
from rules.result import OUTCOMES
from rules.sentences import listed
from server.accounts import computer_players, players, relations
from server.clock.moments import MONTHS
from server.clock.spans import roughly
from server.game.log.display_names import NAMELESS
from server.game.ratings import punctuality
from server.game.ratings.ratings import PACES, PACES_IN_WORDS, Shown, Skill, displayed_rating, points
from server.store.models import Game, Habit, Player, Rating, RatingChange, Seat, Tally

_Which = tuple[str, str]
"""A game type and a pace."""

_MOST_CHANGES = 400
"""The number of latest games in the history of ratings."""


@dataclass(frozen=True)
class Moment:
    """A rating after a game."""

    at: datetime
    number: int


@dataclass(frozen=True)
class RatingView:
    """A rating in a game type at a pace, with its history over the latest games."""

    pace: str
    now: Shown
    course: tuple[Moment, ...]

    @property
    def label(self) -> str:
        """Return the rating with its pace: "1532? (slow)"."""
        return f"{self.now} ({self.pace})"


@dataclass(frozen=True)
class PlayedTypeView:
    """A game type in which a player has finished games with other people, or has a rating."""

    name: str
    title: str
    results: tuple[tuple[str, int], ...]
    """The number of games with other people for each of `OUTCOMES`, in that order."""
    ratings: tuple[RatingView, ...]
    """The player's ratings, in the order of `PACES`."""

    @property
    def games(self) -> int:
        """Return the number of games."""
        return sum(count for _, count in self.results)

    @property
    def ended(self) -> str:
        """Return "12 won, 5 lost and 1 drawn"; "none yet" without games with other people."""
        told = [f"{count} {outcome}" for outcome, count in self.results if count]
        return listed(told) if told else "none yet"

    def rating(self, pace: str) -> Shown | None:
        """Return the rating at a pace; None if there is none."""
        return next((each.now for each in self.ratings if each.pace == pace), None)


@dataclass(frozen=True)
class Profile:
    """A player's public profile."""

    name: str
    computer: str
    """Sentences about a computer player's style; "" for people."""
    since: datetime
    bio: str
    languages: str
    game_types: tuple[PlayedTypeView, ...]
    """The played game types, the one with the most games first."""
    reliability: int | None
    """The share of the latest turns answered in time, in percent; None for too few turns."""
    answers_within: timedelta | None
    """The median time of an answer; None for too few known answers."""

    @property
    def facts(self) -> list[str]:
        """Return sentences about the player besides the games."""
        told = [f"Player since {self.since.day} {MONTHS[self.since.month - 1]} {self.since.year}."]
        if self.languages:
            told.append(f"Speaks {listed(self.languages.split(', '))}.")
        if self.reliability is not None:
            told.append(f"Answered {self.reliability}% of the latest turns in time.")
        if self.answers_within is not None:
            told.append(f"Half of the answers came within {roughly(self.answers_within)}.")
        return told

    @property
    def about_ratings(self) -> str:
        """Return sentences that explain the ratings; "" without ratings."""
        ratings = [rating for game_type in self.game_types for rating in game_type.ratings]
        if not any(rating.now.provisional for rating in ratings):
            return PACES_IN_WORDS if ratings else ""
        return f"{PACES_IN_WORDS} A question mark marks a provisional rating, based on few games."


def profile_of(session: Session, player: Player) -> Profile:
    """Return the profile of a confirmed player."""
    number = players.identity(player)
    habit = session.get(Habit, number)
    answers = [] if habit is None else habit.answers
    seconds = punctuality.usual_seconds(answers)
    return Profile(
        name=player.name,
        computer=_computer(player),
        since=player.confirmed_at or player.created_at,
        bio=player.bio,
        languages=player.languages,
        game_types=_played_types(session, number),
        reliability=punctuality.reliability(answers),
        answers_within=None if seconds is None else timedelta(seconds=seconds),
    )


def _computer(player: Player) -> str:
    computer = computer_players.computer_player_of(player)
    if computer is None:
        return ""
    return f"A computer player, level {computer.level} of 5, always ready for a game. {computer.about}"


def _played_types(session: Session, player: int) -> tuple[PlayedTypeView, ...]:
    ratings = session.exec(select(Rating).where(Rating.player_id == player)).all()
    tallies = {tally.game_type: tally for tally in session.exec(select(Tally).where(Tally.player_id == player))}
    courses = _courses(session, player)
    found = [
        PlayedTypeView(
            name=game_type,
            title=RULES[game_type].title,
            results=tuple((outcome, getattr(tallies.get(game_type), outcome, 0)) for outcome in OUTCOMES),
            ratings=_views([each for each in ratings if each.game_type == game_type], courses),
        )
        for game_type in {*tallies, *(rating.game_type for rating in ratings)}
    ]
    return tuple(sorted(found, key=lambda view: (-view.games, view.title)))


def _views(ratings: Sequence[Rating], courses: Mapping[_Which, list[Moment]]) -> tuple[RatingView, ...]:
    return tuple(
        RatingView(
            pace=rating.pace,
            now=displayed_rating(Skill(rating.mu, rating.sigma), rating.games),
            course=tuple(courses.get((rating.game_type, rating.pace), ())),
        )
        for rating in sorted(ratings, key=lambda each: PACES.index(each.pace))
    )


def _courses(session: Session, player: int) -> dict[_Which, list[Moment]]:
    """Return the ratings after the latest games, in order, by game type and pace."""
    change, courses = RatingChange, dict[_Which, list[Moment]]()
    query = select(change.game_type, change.pace, change.mu, change.at).where(change.player_id == player)
    for game_type, pace, mu, at in session.exec(query.order_by(col(change.serial).desc()).limit(_MOST_CHANGES)):
        courses.setdefault((game_type, pace), []).insert(0, Moment(at, points(mu)))
    return courses


_BEGUN = ("running", "over")
_MOST_GAMES = 200
"""The number of latest games in which other players are looked up."""


def acquaintances(session: Session, player: Player, limit: int) -> list[str]:
    """Return the names of recent opponents of a player who can be challenged, latest first.

    Blocked players are left out. Only started games count, because before that a player invited by address may
    not be known by name, and anonymous games do not count.
    """
    own = select(Seat.game_id).where(Seat.player_id == player.id, Seat.game_id == Game.id)
    begun = own.where(col(Game.state).in_(_BEGUN), ~NAMELESS)
    latest = session.exec(begun.order_by(col(Seat.game_id).desc()).limit(_MOST_GAMES)).all()
    # In two steps: as one statement, SQLite would read all started games.
    query = (
        select(Player.name)
        .join(Seat, col(Seat.player_id) == col(Player.id))
        .where(col(Seat.game_id).in_(latest), Player.id != player.id)
        .where(col(Player.confirmed_at).is_not(None), col(Player.mail_stopped).is_(False))
        .where(
            col(Player.computer).is_(False),
            col(Player.id).not_in(relations.kept_apart_from(session, players.identity(player))),
        )
        .group_by(col(Player.id), col(Player.name))
        .order_by(func.max(Seat.game_id).desc())
        .limit(limit)
    )
    return list(session.exec(query))

"""A player as everybody may know them: what their page shows, and the answer to `who`.

Of games only those that are over: nobody learns from it who plays in one that goes on.
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
"""How far back ratings are shown: so many games."""


@dataclass(frozen=True)
class Moment:
    """What a rating was after a game."""

    at: datetime
    number: int


@dataclass(frozen=True)
class RatingView:
    """A rating in a game type at a pace, and how it came about, the latest games."""

    pace: str
    now: Shown
    course: tuple[Moment, ...]

    @property
    def label(self) -> str:
        """As in "1532? (slow)"."""
        return f"{self.now} ({self.pace})"


@dataclass(frozen=True)
class PlayedTypeView:
    """A game type in which a player has finished games with other people, or is rated."""

    name: str
    title: str
    results: tuple[tuple[str, int], ...]
    """How many of their games with other people ended how: each of `OUTCOMES`, in that order."""
    ratings: tuple[RatingView, ...]
    """Those they have, in the order of `PACES`."""

    @property
    def games(self) -> int:
        """How many there are."""
        return sum(count for _, count in self.results)

    @property
    def ended(self) -> str:
        """As in "12 won, 5 lost and 1 drawn"; "none yet" for no games with other people."""
        told = [f"{count} {outcome}" for outcome, count in self.results if count]
        return listed(told) if told else "none yet"

    def rating(self, pace: str) -> Shown | None:
        """The rating at a pace; None if they have none."""
        return next((each.now for each in self.ratings if each.pace == pace), None)


@dataclass(frozen=True)
class Profile:
    """A player as everybody may know them."""

    name: str
    computer: str
    """How a computer player plays, in sentences; "" for people."""
    since: datetime
    bio: str
    languages: str
    game_types: tuple[PlayedTypeView, ...]
    """The one with the most games first."""
    reliability: int | None
    """The share of their last turns that they answered in time, in percent; None while there are too few."""
    answers_within: timedelta | None
    """How long an answer takes, as often more as less; None while too few are known."""

    @property
    def facts(self) -> list[str]:
        """What is known besides the games, in sentences."""
        told = [f"A player since {self.since.day} {MONTHS[self.since.month - 1]} {self.since.year}."]
        if self.languages:
            told.append(f"Speaks {listed(self.languages.split(', '))}.")
        if self.reliability is not None:
            told.append(f"Answered {self.reliability} % of the latest turns in time.")
        if self.answers_within is not None:
            told.append(f"Half of the answers came within {roughly(self.answers_within)}.")
        return told

    @property
    def about_ratings(self) -> str:
        """What has to be known to read theirs, in sentences; "" where there are none."""
        ratings = [rating for game_type in self.game_types for rating in game_type.ratings]
        if not any(rating.now.provisional for rating in ratings):
            return PACES_IN_WORDS if ratings else ""
        return f"{PACES_IN_WORDS} A question mark says that a rating is provisional: it comes from few games."


def profile_of(session: Session, player: Player) -> Profile:
    """A player who has done something themselves."""
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
    return f"A computer player, {computer.strength} of five, who always has time for a game. {computer.about}"


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
    """What the ratings were after the latest games, in their order, by game type and pace."""
    change, courses = RatingChange, dict[_Which, list[Moment]]()
    query = select(change.game_type, change.pace, change.mu, change.at).where(change.player_id == player)
    for game_type, pace, mu, at in session.exec(query.order_by(col(change.serial).desc()).limit(_MOST_CHANGES)):
        courses.setdefault((game_type, pace), []).insert(0, Moment(at, points(mu)))
    return courses


_BEGUN = ("running", "over")
_MOST_GAMES = 200
"""The latest games of a player, in which is looked."""


def acquaintances(session: Session, player: Player, limit: int) -> list[str]:
    """The names of those who have lately played with a player and can be challenged, the latest first.

    Nobody with whom they never sit; and only of games that have begun: before that, somebody invited by
    address may not be known by name. Nor of those in which nobody may know who plays.
    """
    own = select(Seat.game_id).where(Seat.player_id == player.id, Seat.game_id == Game.id)
    begun = own.where(col(Game.state).in_(_BEGUN), ~NAMELESS)
    latest = session.exec(begun.order_by(col(Seat.game_id).desc()).limit(_MOST_GAMES)).all()
    # By their numbers: as one statement, SQLite goes through all games that have begun.
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

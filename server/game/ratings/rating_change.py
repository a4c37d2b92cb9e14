"""The rating of a player after a finished game, for the email about its end."""

from dataclasses import dataclass

from sqlmodel import Session, col, select

from rules.registry import RULES
from server.game.ratings import results
from server.game.ratings.ratings import Shown, Skill, displayed_rating, pace_of, points
from server.game.terms.terms import RATED
from server.store.models import Game, Rating, RatingChange


@dataclass(frozen=True)
class RatingInWords:
    """A player's rating after a game; `change` is None after the first rated game."""

    game_type: str
    pace: str
    now: Shown
    change: int | None

    @property
    def words(self) -> str:
        """Return a sentence: "Your rating in slow games of Nibble: 1516 (+16)."."""
        about = "the first" if self.change is None else f"{self.change:+}"
        provisional = ", provisional" if self.now.provisional else ""
        where = f"{self.pace} games of {RULES[self.game_type].title}"
        return f"Your rating in {where}: {self.now.number} ({about}{provisional})."


def rating_change(session: Session, game: Game, player: int) -> RatingInWords | None:
    """Return the rating of a player after a finished game; None if the game changes no rating.

    For example, because it is not rated, or because the rating is far above those of the computer players.
    Until the game is counted, which takes a moment, this is the rating that it will give if no other game of
    the player is counted before.
    """
    if not game.seed_hash or game.terms.get(RATED) != "on":
        return None
    pace = pace_of(game.terms)
    change = session.get(RatingChange, (game.id, player))
    if change is None and game.count_due_at is not None:
        change = _expected(session, game, player)
    if change is None:
        return None
    earlier = _before(session, game, player, pace)
    before = None if earlier is None else points(earlier)
    shown = displayed_rating(Skill(change.mu, change.sigma), 0)
    return RatingInWords(game.game_type, pace, shown, None if before is None else shown.number - before)


def _before(session: Session, game: Game, player: int, pace: str) -> float | None:
    """Return the mean of the rating before a game; None before the first rated game."""
    query = select(RatingChange.mu).where(
        RatingChange.player_id == player, RatingChange.game_type == game.game_type, RatingChange.pace == pace
    )
    if game.serial is not None:
        query = query.where(col(RatingChange.serial) < game.serial)
    return session.exec(query.order_by(col(RatingChange.serial).desc()).limit(1)).first()


def _expected(session: Session, game: Game, player: int) -> RatingChange | None:
    """Return the change that counting the game would store for the player, without storing anything."""

    def rating(new: Rating) -> Rating:
        found = session.get(Rating, (new.player_id, new.game_type, new.pace))
        return new if found is None else Rating(**found.model_dump())

    outcome = results.outcome_of(session, game, results.conducts(session, game))
    changes = results.changes(rating, outcome)
    return next((each for each in changes if each.player_id == player), None)

"""Recurring open games: opened again as long as fewer than a certain number of their games are running."""

from collections.abc import Mapping

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from server.game.terms.terms import count
from server.store.models import Game, Json

ALWAYS = "always"
"""The option of an open game: how many of these may be running at the same time."""
MOST_ALWAYS = 10
"""The most games of a recurring open game that may be running at the same time."""
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def read(options: Mapping[str, object]) -> tuple[int, dict[str, object]]:
    """Split options into the limit of a recurring open game (0 for a single game) and the rest.

    Raises BadRequest.
    """
    left = {name: value for name, value in options.items() if name != ALWAYS}
    return count(ALWAYS, options[ALWAYS], MOST_ALWAYS) if ALWAYS in options else 0, left


def offer(always: int, options: Json) -> Json | None:
    """Return the value of `Game.offer` for each game of an offer; None for a single game."""
    return {"always": always, "options": options} if always else None


def words(game: Game) -> str:
    """Return the number of games in words, as in "two"; "" for a single game."""
    return _WORDS[game.offer["always"] - 1] if game.offer else ""


def words_now(session: Session, game: Game) -> str:
    """Return the same, but "" if the offer has ended."""
    return words(game) if game.offer and stands(session.exec(latest(game)).first()) else ""


def stands(last: Game | None) -> bool:
    """Return whether the offer with this latest game is active."""
    return last is not None and last.offer is not None and last.state != "closed"


def first_of(game: Game) -> int | None:
    """Return the number of the first game of the offer."""
    return game.offer_of or game.id


def is_of(first: int | None) -> ColumnElement[bool]:
    """Return the condition that a game is in the offer that began with this game."""
    return or_(col(Game.id) == first, col(Game.offer_of) == first)


def latest(game: Game) -> SelectOfScalar[Game]:
    """Return a query for the latest game of the same offer."""
    return select(Game).where(is_of(first_of(game))).order_by(col(Game.id).desc()).limit(1)

"""Recurring open games: Nabu opens one again as long as fewer than a chosen number of its games are running."""

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
    """Split options into the limit of a recurring open game and the other options. Raises BadRequest.

    The limit is how many of its games may run at the same time, for example 3 for `always=3`; 0 for a single
    game.
    """
    left = {name: value for name, value in options.items() if name != ALWAYS}
    return count(ALWAYS, options[ALWAYS], MOST_ALWAYS) if ALWAYS in options else 0, left


def offer(always: int, options: Json) -> Json | None:
    """Return the value of `Game.offer` for the games of a recurring open game; None for a single game."""
    return {"always": always, "options": options} if always else None


def words(game: Game) -> str:
    """Return how many games of a recurring open game may run at the same time: "two"; "" for a single game."""
    return _WORDS[game.offer["always"] - 1] if game.offer else ""


def words_now(session: Session, game: Game) -> str:
    """Return how many games of a recurring open game may run at the same time, as a word: "two".

    Returns "" for a single game, and if the game will not be opened again.
    """
    return words(game) if game.offer and is_active(session.exec(latest(game)).first()) else ""


def is_active(last: Game | None) -> bool:
    """Return whether a recurring open game will be opened again; `last` is its latest game."""
    return last is not None and last.offer is not None and last.state != "closed"


def first_of(game: Game) -> int | None:
    """Return the number of the first game of a recurring open game."""
    return game.offer_of or game.id


def is_of(first: int | None) -> ColumnElement[bool]:
    """Return the SQL condition that a game belongs to the recurring open game that began with game `first`."""
    return or_(col(Game.id) == first, col(Game.offer_of) == first)


def latest(game: Game) -> SelectOfScalar[Game]:
    """Return a query for the latest game of the same recurring open game."""
    return select(Game).where(is_of(first_of(game))).order_by(col(Game.id).desc()).limit(1)

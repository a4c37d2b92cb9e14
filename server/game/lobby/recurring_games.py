"""Standing offers: how many of an open game its player is always up for, so that it opens again."""

from collections.abc import Mapping

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from server.game.terms.terms import count
from server.store.models import Game, Json

ALWAYS = "always"
"""The option of an open game: how many of these may be under way at once."""
MOST_ALWAYS = 10
"""Games of a standing offer that are under way at once."""
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def read(options: Mapping[str, object]) -> tuple[int, dict[str, object]]:
    """How many at once an open game says, 0 for this one alone, and its other options. Raises BadRequest."""
    left = {name: value for name, value in options.items() if name != ALWAYS}
    return count(ALWAYS, options[ALWAYS], MOST_ALWAYS) if ALWAYS in options else 0, left


def offer(always: int, options: Json) -> Json | None:
    """What is kept with each game of an offer, as `Game.offer`; None for a game by itself."""
    return {"always": always, "options": options} if always else None


def words(game: Game) -> str:
    """How many of these the one who opened it was always up for: "two"; "" for a game by itself."""
    return _WORDS[game.offer["always"] - 1] if game.offer else ""


def words_now(session: Session, game: Game) -> str:
    """The same, but "" once the offer stands no more."""
    return words(game) if game.offer and stands(session.exec(latest(game)).first()) else ""


def stands(last: Game | None) -> bool:
    """Whether an offer stands of which this is the latest game."""
    return last is not None and last.offer is not None and last.state != "closed"


def first_of(game: Game) -> int | None:
    """The number of the first game of its offer."""
    return game.offer_of or game.id


def is_of(first: int | None) -> ColumnElement[bool]:
    """A condition: the game is of the offer that began with the game of this number."""
    return or_(col(Game.id) == first, col(Game.offer_of) == first)


def latest(game: Game) -> SelectOfScalar[Game]:
    """A query for the latest game of the same offer."""
    return select(Game).where(is_of(first_of(game))).order_by(col(Game.id).desc()).limit(1)

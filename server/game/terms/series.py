"""Series: several games in a row between the same players."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, or_, select
from sqlmodel.sql.expression import SelectOfScalar

from server.game.terms.terms import games_in
from server.game.terms.wording import points
from server.store.models import Game, Seat

_POINTS = {"won": 1.0, "drawn": 0.5}


@dataclass(frozen=True)
class SeriesView:
    """The place of a game in its series, such as game 2 of 4, and the score."""

    place: int
    games: int
    score: str
    """The points of all players: "Ann 1, Ben 0"; "" before a game is over."""
    goes_on: bool
    """Whether another game follows this one."""
    following: int | None
    """The number of the next game, if it has started."""

    @property
    def words(self) -> str:
        """Return the number of the game in its series, and the score: "Game 2 of 4; Ann 1, Ben 0."."""
        last = ", the last" if self.place < self.games and not (self.goes_on or self.following) else ""
        return f"Game {self.place} of {self.games}{last}{'; ' if self.score else ''}{self.score}."


def goes_on(game: Game) -> bool:
    """Return whether another game follows this one automatically, or has followed it."""
    return game.series_place < games_in(game.terms) and not game.series_ended


def view(session: Session, game: Game, names: Sequence[str], *, over: bool) -> SeriesView | None:
    """Return the place of a game in its series and the score; None for a single game.

    `names` are those of the players in the order in which they were invited. If the game is not `over`, the
    score is that of the games before it.
    """
    games = games_in(game.terms)
    if games == 1:
        return None
    following = next_of(session, game) if game.state == "over" else None
    score = score_of(session, game, names, over=over)
    return SeriesView(game.series_place, games, score, goes_on(game), following)


def score_of(session: Session, game: Game, names: Sequence[str], *, over: bool) -> str:
    """Return the score of a series after this game, or before it if it is not `over`: "Ann 1, Ben 0"."""
    last = game.series_place if over else game.series_place - 1
    if not last:
        return ""
    query = select(Seat.player_id, Seat.outcome).where(
        Seat.game_id == Game.id, Game.series_place <= last, is_of(first_of(game))
    )
    got = dict.fromkeys(game.asked, 0.0)
    for player, outcome in session.exec(query):
        got[player] += _POINTS.get(outcome, 0.0)
    return ", ".join(f"{name} {points(got[number])}" for name, number in zip(names, game.asked, strict=True))


def first_of(game: Game) -> int | None:
    """Return the number of the first game of a game's series."""
    return game.series_of or game.id


def is_of(first: int | None) -> ColumnElement[bool]:
    """Return the SQL condition that a game is in the series whose first game has this number."""
    return or_(col(Game.id) == first, col(Game.series_of) == first)


def next_of(session: Session, game: Game) -> int | None:
    """Return the number of the game after this one in its series; None if there is none."""
    return session.exec(
        select(Game.id).where(Game.again_of == game.id, Game.series_of == first_of(game))
    ).first()


def latest(game: Game) -> SelectOfScalar[Game]:
    """Return a query for the latest game in the series of a game."""
    return select(Game).where(is_of(first_of(game))).order_by(col(Game.series_place).desc()).limit(1)

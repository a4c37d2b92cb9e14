"""Search in finished games, and running games to watch, as far as they are public."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, exists, select

from server.accounts import players
from server.game.log import log, visibility
from server.game.log.display_names import called
from server.game.log.log import Seated
from server.game.terms.wording import result_text
from server.game.views import lists
from server.store.models import Conduct, Game, Player, Seat


@dataclass(frozen=True)
class Search:
    """The conditions of a search; "" and None match anything.

    `outcome` (as in `Result.outcome`) is the result for `player`, or for any player. The games ended at `since`
    or later, and before `until`.
    """

    player: str = ""
    game_type: str = ""
    outcome: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class PastView(lists.GameHeading):
    """A finished or running game in the archive, as everyone may see it."""

    players: tuple[str, ...]
    turn: int
    result: str
    """The result in a sentence; "" while the game goes on."""
    ended_at: datetime
    """The moment of the end, or of the last turn."""


def found(session: Session, wanted: Search, limit: int, skip: int = 0) -> list[PastView]:
    """Return at most `limit` games, those that ended last first, after skipping `skip` of them.

    An unknown name finds nothing, like the name of a player without finished games.
    """
    conditions = _conditions(session, wanted)
    if conditions is None:
        return []
    query = select(Game).where(col(Game.state) == "over", visibility.PUBLIC, *conditions)
    # The games of one player are found by their seats, of which there are fewer.
    ended, number = (Seat.over_at, Seat.game_id) if wanted.player else (Game.changed_at, Game.id)
    query = query.order_by(col(ended).desc(), col(number).desc()).offset(skip).limit(limit)
    return _views(session, session.exec(query).all())


def being_played(session: Session, limit: int, game_type: str = "") -> list[PastView]:
    """Return at most `limit` running games, those with the latest turns first; "" stands for all game types."""
    query = select(Game).where(col(Game.state) == "running", visibility.PUBLIC)
    query = query.where(Game.game_type == game_type) if game_type else query
    query = query.order_by(col(Game.changed_at).desc(), col(Game.id).desc()).limit(limit)
    return _views(session, session.exec(query).all())


def latest(session: Session, player: Player, limit: int) -> list[PastView]:
    """Return at most `limit` games of a player with other people, those that were counted last first."""
    own = select(Game).where(Conduct.game_id == Game.id, Conduct.player_id == player.id, visibility.PUBLIC)
    return _views(session, session.exec(own.order_by(col(Conduct.serial).desc()).limit(limit)).all())


def _conditions(session: Session, wanted: Search) -> list[ColumnElement[bool]] | None:
    """Return the conditions of a search; None if there is no such player."""
    conditions = [col(Game.game_type) == wanted.game_type] if wanted.game_type else []
    if wanted.since is not None:
        conditions.append(col(Game.changed_at) >= wanted.since)
    if wanted.until is not None:
        conditions.append(col(Game.changed_at) < wanted.until)
    seat = [col(Seat.game_id) == col(Game.id)]
    if wanted.outcome:
        seat.append(col(Seat.outcome) == wanted.outcome)
    if not wanted.player:
        return [*conditions, exists().where(*seat)] if wanted.outcome else conditions
    player = players.by_name(session, wanted.player)
    # A player has one seat in a game, so the join finds each game once.
    return None if player is None else [*conditions, *seat, col(Seat.player_id) == player.id]


def _views(session: Session, games: Sequence[Game]) -> list[PastView]:
    seated = lists.seats_of(session, games)
    return [_view(game, seated[log.id_of(game)]) for game in games]


def _view(game: Game, seated: Sequence[Seated]) -> PastView:
    rules, names = log.rules_of(game), tuple(called(game, *each, None) for each in seated)
    return PastView(
        **lists.heading(game),
        players=names,
        turn=game.turn,
        result=result_text(rules, game.result, names),
        ended_at=game.changed_at,
    )

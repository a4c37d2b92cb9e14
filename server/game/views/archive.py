"""Games that are over, for everybody to search, and games to watch, as far as everybody may see them."""

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
    """What the games have in common; "" and None stand for anything.

    `outcome` (as in `Result.outcome`) is what the result was for `player`, or for anybody. The games ended at
    `since` or later, and before `until`.
    """

    player: str = ""
    game_type: str = ""
    outcome: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class PastView(lists.GameHeading):
    """A game that is over, or is being played, as anybody may see it."""

    players: tuple[str, ...]
    turn: int
    result: str
    """How it ended; "" while it goes on."""
    ended_at: datetime
    """When it ended, or the last turn was played."""


def found(session: Session, wanted: Search, limit: int, skip: int = 0) -> list[PastView]:
    """At most `limit` games, those that ended last first, without the first `skip`.

    A name that is nobody's finds nothing, like that of somebody who has finished no game.
    """
    conditions = _conditions(session, wanted)
    if conditions is None:
        return []
    query = select(Game).where(col(Game.state) == "over", visibility.PUBLIC, *conditions)
    # Of one player by their seats, of which there are fewer.
    ended, number = (Seat.over_at, Seat.game_id) if wanted.player else (Game.changed_at, Game.id)
    query = query.order_by(col(ended).desc(), col(number).desc()).offset(skip).limit(limit)
    return _views(session, session.exec(query).all())


def being_played(session: Session, limit: int, game_type: str = "") -> list[PastView]:
    """At most `limit` games that go on, of one game or of all, those in which a turn was played last first."""
    query = select(Game).where(col(Game.state) == "running", visibility.PUBLIC)
    query = query.where(Game.game_type == game_type) if game_type else query
    query = query.order_by(col(Game.changed_at).desc(), col(Game.id).desc()).limit(limit)
    return _views(session, session.exec(query).all())


def latest(session: Session, player: Player, limit: int) -> list[PastView]:
    """At most `limit` games of a player with other people, those that were counted last first."""
    own = select(Game).where(Conduct.game_id == Game.id, Conduct.player_id == player.id, visibility.PUBLIC)
    return _views(session, session.exec(own.order_by(col(Conduct.serial).desc()).limit(limit)).all())


def _conditions(session: Session, wanted: Search) -> list[ColumnElement[bool]] | None:
    """What to look for in the database; None if there is no such player."""
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
    # A player has one seat in a game: the games are found by way of it, each once.
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

"""Search in finished games, and running games to watch, as far as they are public."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, col, exists, select

from server.accounts import players
from server.game.log import log, visibility
from server.game.log.display_names import called
from server.game.log.log import Seated
from server.game.terms.wording import result_text
from server.game.views import lists
from server.store.models import Conduct, Game, Player, Seat
from server.store.statements.planned_session import RowStatement

_RUNNING = select(Game).where(col(Game.state) == "running", visibility.PUBLIC)
_OVER = select(Game).where(col(Game.state) == "over", visibility.PUBLIC)
_SEAT = col(Seat.game_id) == col(Game.id)
_CONDITIONS = {
    "game_type": (col(Game.game_type) == bindparam("game_type"),),
    "since": (col(Game.changed_at) >= bindparam("since"),),
    "until": (col(Game.changed_at) < bindparam("until"),),
    # A player has one seat in a game, so the join finds each game once.
    "player": (_SEAT, col(Seat.player_id) == bindparam("player")),
    "outcome": (col(Seat.outcome) == bindparam("outcome"),),
}
"""The conditions on games for each given value."""


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
    player = players.by_name(session, wanted.player) if wanted.player else None
    if wanted.player and player is None:
        return []
    given = {name: getattr(wanted, name) for name in _CONDITIONS if getattr(wanted, name)}
    values = given if player is None else {**given, "player": player.id}
    rows = _finding(frozenset(given))(session, {**values, "skip": skip, "most": limit})
    return _views(session, [game for (game,) in rows])


def being_played(session: Session, limit: int, game_type: str = "") -> list[PastView]:
    """Return at most `limit` running games, those with the latest turns first; "" stands for all game types."""
    given: Mapping[str, Any] = {"game_type": game_type} if game_type else {}
    rows = _watching(frozenset(given))(session, {**given, "most": limit})
    return _views(session, [game for (game,) in rows])


def latest(session: Session, player: Player, limit: int) -> list[PastView]:
    """Return at most `limit` games of a player with other people, those that were counted last first."""
    own = select(Game).where(Conduct.game_id == Game.id, Conduct.player_id == player.id, visibility.PUBLIC)
    return _views(session, session.exec(own.order_by(col(Conduct.serial).desc()).limit(limit)).all())


@cache
def _finding(given: frozenset[str]) -> RowStatement[Game]:
    """Return the statement of a search with these conditions."""
    # The games of one player are found by their seats, of which there are fewer.
    if "player" in given:
        query = _OVER.where(*_given(given)).order_by(col(Seat.over_at).desc(), col(Seat.game_id).desc())
    else:
        seated = [exists().where(_SEAT, *_given({"outcome"}))] if "outcome" in given else []
        query = _OVER.where(*_given(given - {"outcome"}), *seated)
        query = query.order_by(col(Game.changed_at).desc(), col(Game.id).desc())
    return RowStatement(query.offset(bindparam("skip")).limit(bindparam("most")), lists.GAME_COLUMNS)


def _given(names: Set[str]) -> list[Any]:
    """Return the conditions with these names, always in the same order."""
    return [each for name, conditions in _CONDITIONS.items() if name in names for each in conditions]


@cache
def _watching(given: frozenset[str]) -> RowStatement[Game]:
    """Return the statement for running games with these conditions."""
    query = _RUNNING.where(*_given(given)).order_by(col(Game.changed_at).desc(), col(Game.id).desc())
    return RowStatement(query.limit(bindparam("most")), lists.GAME_COLUMNS)


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

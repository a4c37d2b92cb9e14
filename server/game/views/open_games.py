"""Open games, as each viewer may see them, one page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Integer, bindparam
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.game.lobby import computer_joiners, early_start, entry_conditions, recurring_games
from server.game.log import log, visibility
from server.game.log.display_names import called
from server.game.log.log import Seated
from server.game.terms.terms import GameTerms
from server.game.views import lists
from server.store.models import Game, Player, Seat
from server.store.statements.planned_session import RowStatement


@dataclass(frozen=True)
class OpenView(lists.GameHeading):
    """An open game as `viewer` may see it."""

    players: tuple[str, ...]
    """The players who have joined, the opener first."""
    missing: int
    """The number of free seats."""
    seats: int
    """The number of seats."""
    terms: tuple[str, ...]
    """Sentences about the time for each move, and about unusual terms."""
    since: datetime
    """When a player last joined or left."""
    joined: bool
    """Whether the viewer has joined or opened the game."""
    own: bool
    """Whether the viewer opened the game."""
    open_to: str
    """The players who may join, as in "anyone"."""
    always: str
    """The number of running games that a recurring open game allows, as in "two"; "" for a single game."""
    joiners: str
    """A sentence about computer players that will join, and when, for players of the game; "" for none."""
    misfit: str
    """Sentences about the conditions that the viewer does not meet; "" if none, or the viewer has joined."""
    can_start: bool
    """Whether the viewer has joined, and the game can start with the present players."""


def open_games(
    session: Session, viewer: Player | None, limit: int, skip: int = 0, game_type: str = ""
) -> list[OpenView]:
    """Return at most `limit` open games, of one type or of all, latest first, after skipping `skip`.

    Games that are hidden from the viewer are left out, see `visibility`.
    """
    given: dict[str, Any] = {"most": limit, "skip": skip}
    given |= {} if viewer is None else {"viewer": viewer.id}
    given |= {"game_type": game_type} if game_type else {}
    statement = _page(is_player=viewer is not None, of_type=bool(game_type))
    games = [game for (game,) in statement(session, given)]
    seated, misfits = lists.seats_of(session, games), entry_conditions.misfits(session, games, viewer)
    return [_view(session, game, seated[log.id_of(game)], viewer, misfits[log.id_of(game)]) for game in games]


def latest_open_games(viewer: Any, limit: Any) -> SelectOfScalar[Game]:
    """Return a query for the latest open games that a player (by number), or with None a visitor, may see."""
    shown = ~col(Game.anonymous) if viewer is None else ~visibility.keeps_out(viewer)
    return (
        select(Game)
        .where(Game.state == "open", Seat.game_id == Game.id, Seat.number == 0)
        .where(Seat.player_id == Player.id, ~col(Player.mail_stopped), col(Player.suspended_at).is_(None))
        .where(shown)
        .order_by(col(Game.changed_at).desc(), col(Game.id).desc())
        .limit(limit)
    )


@cache
def _page(*, is_player: bool, of_type: bool) -> RowStatement[Game]:
    """Return the statement for a page of open games, for a player or a visitor, of one type or of all."""
    viewer = bindparam("viewer", type_=Integer) if is_player else None
    query = latest_open_games(viewer, bindparam("most")).offset(bindparam("skip"))
    return RowStatement(query.where(Game.game_type == bindparam("game_type")) if of_type else query)


def _view(
    session: Session, game: Game, seated: Sequence[Seated], viewer: Player | None, misfit: str
) -> OpenView:
    number = None if viewer is None else viewer.id
    seats = len(game.asked) + log.free_seats(game)
    return OpenView(
        **lists.heading(game),
        players=tuple(called(game, *each, number) for each in seated),
        missing=log.free_seats(game),
        seats=seats,
        terms=GameTerms.from_json(game.terms).in_brief(game.created_at, seats),
        since=game.changed_at,
        joined=number in game.asked,
        own=number == game.asked[0],
        open_to=entry_conditions.conditions_of(game).open_to,
        always=recurring_games.words(game),
        joiners=computer_joiners.in_words(session, game, viewer),
        misfit=misfit,
        can_start=number in game.asked and early_start.fewer(game) is not None,
    )

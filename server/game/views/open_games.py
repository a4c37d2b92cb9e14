"""Games that are open, as anybody may see them, a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.accounts import players
from server.game.lobby import computer_joiners, early_start, entry_conditions, recurring_games
from server.game.log import log, visibility
from server.game.log.display_names import called
from server.game.log.log import Seated
from server.game.terms.terms import GameTerms
from server.game.views import lists
from server.store.models import Game, Player, Seat


@dataclass(frozen=True)
class OpenView(lists.GameHeading):
    """An open game as `viewer` may see it."""

    players: tuple[str, ...]
    """Who has joined, the one who opened it first."""
    missing: int
    """How many more may join."""
    seats: int
    """How many play."""
    terms: tuple[str, ...]
    """The time for each move, and what else is unusual, in sentences."""
    since: datetime
    """When somebody last came or went."""
    joined: bool
    """Whether the viewer has joined, or opened it."""
    own: bool
    """Whether the viewer opened it."""
    whom: str
    """Who may join: "anybody", or some."""
    always: str
    """How many of these the one who opened it is always up for: "two"; "" for a game by itself."""
    joiners: str
    """Which computer players take its free seats, and when, a sentence for those who sit there; "" for none."""
    misfit: str
    """What of the viewer is not as it is wanted, in sentences; "" if they fit, or have joined."""
    enough: bool
    """Whether the viewer has joined, and the game can begin with those who have."""


def open_games(
    session: Session, viewer: Player | None, limit: int, skip: int = 0, game_type: str = ""
) -> list[OpenView]:
    """At most `limit` open games, of one game or of all, the latest first, without the first `skip`.

    Those that `audience` does not show them are left out.
    """
    query = latest_open_games(None if viewer is None else players.identity(viewer), limit).offset(skip)
    if game_type:
        query = query.where(Game.game_type == game_type)
    games = session.exec(query).all()
    seated, misfits = lists.seats_of(session, games), entry_conditions.misfits(session, games, viewer)
    return [_view(session, game, seated[log.id_of(game)], viewer, misfits[log.id_of(game)]) for game in games]


def latest_open_games(viewer: Any, limit: int) -> SelectOfScalar[Game]:
    """A statement for the latest open games that a player (by their number), or with None anybody, may see."""
    shown = ~col(Game.anonymous) if viewer is None else ~visibility.keeps_out(viewer)
    return (
        select(Game)
        .where(Game.state == "open", Seat.game_id == Game.id, Seat.number == 0)
        .where(Seat.player_id == Player.id, ~col(Player.mail_stopped), col(Player.suspended_at).is_(None))
        .where(shown)
        .order_by(col(Game.changed_at).desc(), col(Game.id).desc())
        .limit(limit)
    )


def _view(
    session: Session, game: Game, seated: Sequence[Seated], viewer: Player | None, misfit: str
) -> OpenView:
    number = None if viewer is None else viewer.id
    return OpenView(
        **lists.heading(game),
        players=tuple(called(game, *each, number) for each in seated),
        missing=log.free_seats(game),
        seats=len(game.asked) + log.free_seats(game),
        terms=GameTerms.from_json(game.terms).in_brief(game.created_at),
        since=game.changed_at,
        joined=number in game.asked,
        own=number == game.asked[0],
        whom=entry_conditions.conditions_of(game).whom,
        always=recurring_games.words(game),
        joiners=computer_joiners.in_words(session, game, viewer),
        misfit=misfit,
        enough=number in game.asked and early_start.fewer(game) is not None,
    )

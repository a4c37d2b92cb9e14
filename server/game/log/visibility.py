"""Visibility of games: players always see their games; others see games that have started and are not private.

An open game is visible to everyone except players whom one of its players has blocked or who have blocked one
of them. If it is anonymous, only logged-in players see it, except those whom one of its players has blocked.

All code that shows a game by its number, or lists games, uses this module. A hidden game is treated exactly
like a game that does not exist, with the same queries and the same answers.
"""

from typing import Any

from sqlalchemy import ColumnElement, bindparam
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, exists, or_, select

from server.accounts import relations
from server.store.models import Game, Relation, Seat
from server.store.statements.prepared_statements import Prepared

_SHOWN = ("running", "over")
PUBLIC = and_(col(Game.state).in_(_SHOWN), ~col(Game.private))
"""The condition that everyone may see a game."""
# Built once, because every page of a game uses it.
_SEAT: Prepared[int] = Prepared(
    select(Seat.number).where(Seat.game_id == bindparam("game"), Seat.player_id == bindparam("player"))
)


def is_public(state: str, *, private: bool) -> bool:
    """Return whether everyone may see a game in this state, such as "running"."""
    return state == "open" or (state in _SHOWN and not private)


def is_hidden(session: Session, game: Any, player: int | None) -> bool:
    """Return whether a game is open but hidden from a player; with None, whether it is hidden from visitors."""
    if game.state != "open":
        return False
    return game.anonymous if player is None else is_apart(session, game, player)


def is_apart(session: Session, game: Any, player: int) -> bool:
    """Return whether a player cannot join a game because of a block between them and one of its players.

    In an anonymous game, players whom they have blocked do not count: otherwise they could find out who plays
    by blocking one player after the other.
    """
    if game.anonymous:
        away = set(session.exec(relations.blockers_of(player)))
    else:
        away = relations.kept_apart_from(session, player)
    return player not in game.asked and not away.isdisjoint(game.asked)


def keeps_out(player: Any) -> ColumnElement[bool]:
    """Return the SQL condition that an open game keeps out a player, because of a block as in `is_apart`."""
    there = aliased(Seat)
    game, seated = col(there.game_id), col(there.player_id)
    own, other, blocked = col(Relation.player_id), col(Relation.other_id), col(Relation.blocked)
    sits_there = exists().where(game == Game.id, seated == player)
    blocks = exists().where(game == Game.id, blocked, own == player, other == seated)
    is_blocked = exists().where(game == Game.id, blocked, own == seated, other == player)
    return and_(~sits_there, or_(and_(~col(Game.anonymous), blocks), is_blocked))


def visible_game(session: Session, number: int, player: int | None) -> tuple[Game, int | None] | None:
    """Return a game with the player's seat in it, or None as the seat if they do not play in it.

    Return None if there is no such game, or if it is hidden from the player; with `player` None, from visitors.
    """
    game = session.get(Game, number)
    seat = None
    if player is not None:
        session.flush()
        (seat,) = _SEAT(session, game=number, player=player).first() or (None,)
    if game is None or not (seat is not None or is_visible(session, game, player)):
        return None
    return game, seat


def is_visible(session: Session, game: Any, player: int | None) -> bool:
    """Return whether a player who does not play in a game may see it; `player` is None for visitors.

    `game` may be a row with only the columns `state`, `private`, `anonymous` and `asked`.
    """
    return is_public(game.state, private=game.private) and not is_hidden(session, game, player)

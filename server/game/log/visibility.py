"""Who may see a game: its players always, everybody else once it has begun, unless it is private.

One that waits for anybody to join is seen by all, but for those who keep away from somebody who sits there, or
are kept away. If it is anonymous only players see it, but for those whom somebody has blocked who sits there.

Everything that shows a game by its number, or lists games, asks here. A game that somebody may not see is for
them as if there were none: the same is looked up, and the same is answered.
"""

from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.orm import aliased
from sqlmodel import Session, and_, col, exists, or_, select

from server.accounts import relations
from server.store.models import Game, Relation, Seat

_SHOWN = ("running", "over")
PUBLIC = and_(col(Game.state).in_(_SHOWN), ~col(Game.private))
"""A condition: everybody may see the game."""


def is_public(state: str, *, private: bool) -> bool:
    """Whether everybody may see a game in this state."""
    return state == "open" or (state in _SHOWN and not private)


def is_hidden(session: Session, game: Any, player: int | None) -> bool:
    """Whether a game waits for others, and is not shown to this player, or to anybody."""
    if game.state != "open":
        return False
    return game.anonymous if player is None else is_apart(session, game, player)


def is_apart(session: Session, game: Any, player: int) -> bool:
    """Whether a player who does not sit at a game cannot join it because of somebody who does.

    In an anonymous game whomever they have blocked themselves may sit there: otherwise they would find out who
    it is, by blocking one after the other.
    """
    if game.anonymous:
        away = set(session.exec(relations.blockers_of(player)))
    else:
        away = relations.kept_apart_from(session, player)
    return player not in game.asked and not away.isdisjoint(game.asked)


def keeps_out(player: Any) -> ColumnElement[bool]:
    """The same as a condition on open games, of the player with this number."""
    there = aliased(Seat)
    game, seated = col(there.game_id), col(there.player_id)
    own, other, blocked = col(Relation.player_id), col(Relation.other_id), col(Relation.blocked)
    sits_there = exists().where(game == Game.id, seated == player)
    blocks = exists().where(game == Game.id, blocked, own == player, other == seated)
    is_blocked = exists().where(game == Game.id, blocked, own == seated, other == player)
    return and_(~sits_there, or_(and_(~col(Game.anonymous), blocks), is_blocked))


def visible_game(session: Session, number: int, player: int | None) -> tuple[Game, int | None] | None:
    """The game for a player (by their number), or with None for anybody, and the seat that they have in it.

    None if there is no such game, or it is not shown to them.
    """
    game = session.get(Game, number)
    seat = None
    if player is not None:
        seat = session.exec(select(Seat.number).where(Seat.game_id == number, Seat.player_id == player)).first()
    if game is None or not (seat is not None or is_visible(session, game, player)):
        return None
    return game, seat


def is_visible(session: Session, game: Any, player: int | None) -> bool:
    """Whether a player without a seat in a game, or with None anybody, may see it.

    `game` may be a row of its columns `state`, `private`, `anonymous` and `asked` alone.
    """
    return is_public(game.state, private=game.private) and not is_hidden(session, game, player)

"""Whom a player knows from their games."""

from sqlmodel import Session, col, func, select

from server.accounts import players, relations
from server.game.invited import NAMELESS
from server.store.models import Game, Player, Seat

_BEGUN = ("running", "over")
_MOST_GAMES = 200
"""The latest games of a player, in which is looked."""


def acquaintances(session: Session, player: Player, limit: int) -> list[str]:
    """The names of those who have lately played with a player and can be challenged, the latest first.

    Nobody with whom they never sit; and only of games that have begun: before that, somebody invited by
    address may not be known by name. Nor of those in which nobody may know who plays.
    """
    own = select(Seat.game_id).where(Seat.player_id == player.id, Seat.game_id == Game.id)
    begun = own.where(col(Game.state).in_(_BEGUN), ~NAMELESS)
    latest = session.exec(begun.order_by(col(Seat.game_id).desc()).limit(_MOST_GAMES)).all()
    # By their numbers: as one statement, SQLite goes through all games that have begun.
    query = (
        select(Player.name)
        .join(Seat, col(Seat.player_id) == col(Player.id))
        .where(col(Seat.game_id).in_(latest), Player.id != player.id)
        .where(col(Player.confirmed_at).is_not(None), col(Player.mail_stopped).is_(False))
        .where(
            col(Player.computer).is_(False),
            col(Player.id).not_in(relations.of(session, players.identity(player))),
        )
        .group_by(col(Player.id), col(Player.name))
        .order_by(func.max(Seat.game_id).desc())
        .limit(limit)
    )
    return list(session.exec(query))

"""Everybody is mailed how their games stand: after a restore, say, when they know of moves that we do not."""

from dataclasses import replace

from sqlmodel import Session, col, select

from server.accounts import players
from server.outbound.letters.account import Games
from server.store.deferral import NEVER, wish_of
from server.store.models import Game, Player, Seat
from server.store.outbox import Action


def concerned(session: Session) -> list[Player]:
    """The players of games that go on, but for those who want no mail about them, and computers."""
    playing = (
        select(Seat.player_id).join(Game, col(Game.id) == col(Seat.game_id)).where(Game.state == "running")
    )
    query = select(Player).where(
        col(Player.id).in_(playing),
        col(Player.computer).is_(False),
        col(Player.mail_stopped).is_(False),
        col(Player.suspended_at).is_(None),
    )
    return [player for player in session.exec(query.order_by(col(Player.id))) if wish_of(player) != NEVER]


def tell(action: Action, why: str) -> int:
    """Have all of them mailed how their games stand, and `why` they are; how many.

    Whoever sends mail takes care that not too many leave at once.
    """
    found = concerned(action.session)
    told = replace(action, remarks={player.email: why for player in found})
    for player in found:
        told.put_to_player(player, Games(players.identity(player)))
    return len(found)

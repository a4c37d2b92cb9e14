"""Players whose emails are stopped because of bounces: list them, and resume their emails."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from server.accounts import bounces, players
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.outbound.letters.account import Games
from server.store.models import Player


@dataclass(frozen=True)
class BouncingPlayer:
    """A player whose emails were stopped because of bounces."""

    number: int
    name: str
    email: str
    since: datetime
    score: int


def list_stopped(session: Session, limit: int | None = None, skip: int = 0) -> Sequence[BouncingPlayer]:
    """Return the players whose emails were stopped because of bounces, the earliest first."""
    query = select(Player).where(col(Player.suspended_at).is_not(None))
    rows = session.exec(query.order_by(col(Player.suspended_at), col(Player.id)).offset(skip).limit(limit))
    return [
        BouncingPlayer(
            players.identity(player), player.name, player.email, player.suspended_at, player.bounce_score
        )
        for player in rows
        if player.suspended_at is not None
    ]


def resume(admin_action: AdminAction, player: Player) -> None:
    """Resume emails to a player, starting with the state of their games. Raises BadRequest if not stopped."""
    if player.suspended_at is None:
        raise BadRequest(f"Emails to {player.name} are not stopped because of bounces.")
    bounces.heard_from(admin_action.action, player, Games(players.identity(player)))
    admin_action.session.add(player)
    admin_action.note("resumed emails", player=players.identity(player))

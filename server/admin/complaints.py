"""What people complain about: words of others that they reported, and mails of ours that they did not want."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from server.accounts import players
from server.admin.audit import AdminAction
from server.admin.health import RECENT
from server.errors import BadRequest
from server.store.db import locked
from server.store.models import AbuseReport, Player


@dataclass(frozen=True)
class UnwantedView:
    """A player who lately called a mail of ours unwanted: they are mailed nothing since."""

    number: int
    name: str
    at: datetime


def resolve_report(admin_action: AdminAction, number: int) -> None:
    """Be done with words that were reported. Raises BadRequest where somebody is already."""
    row = locked(admin_action.session, AbuseReport, number)
    if row is None or row.resolved_at is not None:
        raise BadRequest("Somebody is done with this already.")
    row.resolved_at = admin_action.action.now
    admin_action.note("was done with words that were reported", player=row.speaker_id, game=row.game_id)


def unwanted(session: Session, now: datetime, limit: int) -> Sequence[UnwantedView]:
    """The players who lately called a mail of ours unwanted, the latest first."""
    query = select(Player).where(col(Player.complained_at) > now - RECENT)
    rows = session.exec(query.order_by(col(Player.complained_at).desc()).limit(limit))
    return [
        UnwantedView(players.identity(player), player.name, player.complained_at)
        for player in rows
        if player.complained_at is not None
    ]

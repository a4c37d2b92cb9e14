"""Complaints: reports of abuse, and emails from Nabu that recipients marked as spam."""

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
    """A player who recently marked an email from Nabu as spam, and has got no emails since."""

    number: int
    name: str
    at: datetime


def resolve_report(admin_action: AdminAction, number: int) -> None:
    """Mark a report of abuse as resolved. Raises BadRequest if it already is."""
    row = locked(admin_action.session, AbuseReport, number)
    if row is None or row.resolved_at is not None:
        raise BadRequest("This report is already resolved.")
    row.resolved_at = admin_action.action.now
    admin_action.note("resolved a report of abuse", player=row.speaker_id, game=row.game_id)


def unwanted(session: Session, now: datetime, limit: int) -> Sequence[UnwantedView]:
    """Return the players who recently marked an email as spam, the latest first."""
    query = select(Player).where(col(Player.complained_at) > now - RECENT)
    rows = session.exec(query.order_by(col(Player.complained_at).desc()).limit(limit))
    return [
        UnwantedView(players.identity(player), player.name, player.complained_at)
        for player in rows
        if player.complained_at is not None
    ]

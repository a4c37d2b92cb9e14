"""Protect the last administrator from deletion."""

from sqlmodel import Session, col, select

from server.errors import BadRequest
from server.store.db import LOCK
from server.store.models import Player, Staff

_ADMINISTRATOR = "administrator"
"""The role, as in `admin.roles.Role`."""


def locked_administrators(session: Session) -> list[int]:
    """Lock all administrators until the transaction ends, and return their player numbers."""
    session.flush()
    query = select(Staff.player_id).where(Staff.role == _ADMINISTRATOR).order_by(col(Staff.player_id))
    return list(session.exec(query.with_for_update(**LOCK)))


def check_may_go(session: Session, player: Player) -> None:
    """Raise BadRequest for the only administrator."""
    if locked_administrators(session) == [player.id]:
        raise BadRequest(
            "You are the only administrator here, so your account cannot be deleted. Make another player an "
            "administrator first."
        )

"""That somebody always looks after the server: of its operators, the last one stays."""

from sqlmodel import Session, col, select

from server.errors import BadRequest
from server.store.db import LOCK
from server.store.models import Player, Staff

_OPERATOR = "operator"
"""Their role, as in `admin.roles.Role`."""


def locked_operators(session: Session) -> list[int]:
    """The numbers of all operators, none of whom goes or comes until the transaction ends."""
    session.flush()
    query = select(Staff.player_id).where(Staff.role == _OPERATOR).order_by(col(Staff.player_id))
    return list(session.exec(query.with_for_update(**LOCK)))


def check_may_go(session: Session, player: Player) -> None:
    """Raise BadRequest for the only operator."""
    if locked_operators(session) == [player.id]:
        raise BadRequest(
            "You are the only operator here, so your account cannot be deleted. Make somebody else an operator "
            "first."
        )

"""Who hears what is said in a game: all others, or the one to whom it is said; of notes nobody else."""

from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import and_, col, or_

from server.store.models import GameMessage


def heard(seat: Any) -> ColumnElement[bool]:
    """A condition: others say it, and `seat` (its number, or a column of numbers) hears it."""
    to_it = or_(col(GameMessage.listener).is_(None), col(GameMessage.listener) == seat)
    return and_(col(GameMessage.seat) != seat, ~col(GameMessage.private), to_it)


def is_audible_to(seat: Any) -> ColumnElement[bool]:
    """A condition: `seat` hears it, or has said or noted it."""
    return or_(col(GameMessage.seat) == seat, heard(seat))

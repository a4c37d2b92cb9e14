"""Games that are over are counted soon after, in a transaction of their own."""

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col, select

from server.game.ratings import results
from server.store import failures
from server.store.keys.sealing import Sealer
from server.store.models import Game


def count_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Count the game that was over first of those that are not counted; False when there is none."""
    due = select(Game).where(col(Game.count_due_at) <= now).order_by(col(Game.count_due_at), col(Game.id))
    return failures.run_next_due(engine, sealer, now, "counting", due, results.count)

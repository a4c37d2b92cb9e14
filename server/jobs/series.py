"""The next games of series begin soon after those before them are over, each in a transaction of its own."""

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col, select

from server.game.lobby import next_in_series
from server.store import failures
from server.store.keys.sealing import Sealer
from server.store.models import Game


def go_on_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Begin the next game of the series that waits longest for it; False when none waits."""
    due = select(Game).where(col(Game.next_due_at) <= now).order_by(col(Game.next_due_at), col(Game.id))
    return failures.run_next_due(engine, sealer, now, "series", due, next_in_series.go_on)

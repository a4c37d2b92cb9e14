"""Standing offers open again soon after a game of theirs has begun or is over."""

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col, select

from server.game.lobby import upkeep
from server.store import failures
from server.store.keys.sealing import Sealer
from server.store.models import Game


def reopen_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """See to the offer that waits longest; False when none waits."""
    due = select(Game).where(col(Game.offer_due_at) <= now).order_by(col(Game.offer_due_at), col(Game.id))
    return failures.run_next_due(engine, sealer, now, "reopening", due, upkeep.reopen)

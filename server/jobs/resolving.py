"""Turns that wait a while after all orders are in, so that minds can still be changed."""

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col, select

from server.game.play import moves
from server.store import failures
from server.store.keys.sealing import Sealer
from server.store.models import Game


def resolve_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Resolve one turn whose delay is over; False when there is none."""
    due = select(Game).where(col(Game.resolve_at) <= now).order_by(col(Game.resolve_at))
    return failures.run_next_due(engine, sealer, now, "resolving", due, moves.resolve_due)

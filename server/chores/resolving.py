"""Turns that wait a while after all orders are in, so that minds can still be changed."""

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col, select

from server import db, play
from server.models import Game
from server.outbox import Post
from server.vault import Vault


def resolve_next(engine: Engine, vault: Vault, now: datetime) -> bool:
    """Resolve one turn whose delay is over; False when there is none."""
    due = select(Game).where(col(Game.resolve_at) <= now).order_by(col(Game.resolve_at))
    return db.act_on_first(engine, due, lambda session, game: play.resolve_due(Post(session, vault, now), game))

"""Tournaments go on: when something in them is due, and when one of their games is over."""

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col, select

from server.store import failures
from server.store.keys.sealing import Sealer
from server.store.models import Game, Tournament
from server.tournaments import progress

_JOB = "tournament"


def go_on_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Do what is due in one tournament; False if nothing is in any."""
    due = select(Tournament).where(col(Tournament.due_at) <= now).order_by(col(Tournament.due_at))
    return failures.run_next_due(engine, sealer, now, _JOB, due, progress.go_on)


def count_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Count the games of one tournament that are over; False if all are counted."""
    ended = select(Game.tournament_id).where(col(Game.tournament_due_at) <= now)
    due = select(Tournament).where(col(Tournament.id).in_(ended)).order_by(col(Tournament.id))
    return failures.run_next_due(engine, sealer, now, _JOB, due, progress.go_on)

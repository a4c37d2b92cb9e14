"""The lobby is kept true: nobody is shown a game that cannot begin, or that everybody has forgotten."""

from datetime import datetime

from sqlalchemy import Engine
from sqlmodel import col, select

from server.game.lobby import seats, upkeep
from server.game.terms.terms import STALE
from server.store import failures
from server.store.keys.sealing import Sealer
from server.store.models import Game, Player, Seat

_JOB = "lobby"
AT_ONCE = 100
"""Games that are looked after in one go: there are moves to be told as well."""


def look_after_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Free places of who cannot play any more in an open game, forget or fill one; False if none needs it."""
    return any(follow(engine, sealer, now) for follow in (free_next, forget_next, fill_next))


def free_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Free the places of those who cannot play any more in one open game; False if there is none."""
    cannot = seats.cannot_play(now)
    there = select(Seat.game_id).where(Seat.player_id == Player.id, cannot, Seat.game_id == Game.id)
    found = select(Game).where(Game.state == "open", there.exists()).order_by(col(Game.id))
    return failures.run_next_due(engine, sealer, now, _JOB, found, upkeep.free)


def forget_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Forget one open game to which nobody has come, and that nobody has left, for long; False if none is."""
    changed = col(Game.changed_at)
    found = select(Game).where(Game.state == "open", changed <= now - STALE).order_by(changed, col(Game.id))
    return failures.run_next_due(engine, sealer, now, _JOB, found, upkeep.forget)


def fill_next(engine: Engine, sealer: Sealer, now: datetime) -> bool:
    """Let computer players join one open game to which nobody came for a while; False if there is none."""
    due = col(Game.computers_join_at)
    found = select(Game).where(Game.state == "open", due <= now).order_by(due, col(Game.id))
    return failures.run_next_due(engine, sealer, now, _JOB, found, upkeep.fill)

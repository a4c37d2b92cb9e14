"""Open games that cannot begin as they are, are forgotten, or can be filled with computer players."""

from datetime import datetime

from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.game.lobby import seats
from server.game.terms.terms import STALE
from server.store.models import Game, Player, Seat


def with_players_who_cannot_play(now: datetime) -> SelectOfScalar[Game]:
    """Open games with a player who cannot play any more."""
    cannot = seats.cannot_play(now)
    there = select(Seat.game_id).where(Seat.player_id == Player.id, cannot, Seat.game_id == Game.id)
    return select(Game).where(Game.state == "open", there.exists()).order_by(col(Game.id))


def forgotten(now: datetime) -> SelectOfScalar[Game]:
    """Open games that nobody has joined or left for long."""
    changed = col(Game.changed_at)
    return select(Game).where(Game.state == "open", changed <= now - STALE).order_by(changed, col(Game.id))


def to_fill(now: datetime) -> SelectOfScalar[Game]:
    """Open games that computer players may join, as nobody else did for a while."""
    due = col(Game.computers_join_at)
    return select(Game).where(Game.state == "open", due <= now).order_by(due, col(Game.id))

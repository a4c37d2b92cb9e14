"""Queries for open games with players who can no longer play, for expired ones, and for computer players."""

from datetime import datetime

from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from server.game.lobby import seats
from server.game.terms.terms import STALE
from server.store.models import Game, Player, Seat


def with_players_who_cannot_play(now: datetime) -> SelectOfScalar[Game]:
    """Return the query for open games with a player who can no longer play."""
    cannot = seats.cannot_play(now)
    there = select(Seat.game_id).where(Seat.player_id == Player.id, cannot, Seat.game_id == Game.id)
    return select(Game).where(Game.state == "open", there.exists()).order_by(col(Game.id))


def forgotten(now: datetime) -> SelectOfScalar[Game]:
    """Return the query for open games that no player has joined or left for a long time."""
    changed = col(Game.changed_at)
    return select(Game).where(Game.state == "open", changed <= now - STALE).order_by(changed, col(Game.id))


def to_fill(now: datetime) -> SelectOfScalar[Game]:
    """Return the query for open games that computer players may join now, because no person did."""
    due = col(Game.computers_join_at)
    return select(Game).where(Game.state == "open", due <= now).order_by(due, col(Game.id))

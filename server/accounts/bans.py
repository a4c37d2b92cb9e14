"""Suspended players, closed accounts, and blocked addresses."""

from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, or_, select

from server.clock.moments import write_moment
from server.errors import BadRequest
from server.store.models import Ban, BlockedAddress, Player
from server.store.statements import prepared_statements


def bar_of(session: Session, player: Player, now: datetime) -> Ban | None:
    """Return the present suspension or account closure of a player; None if there is none."""
    bar = session.get(Ban, player.id)
    return bar if bar is not None and (bar.until is None or now < bar.until) else None


def is_barred(now: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for players who are suspended or closed now."""
    there = select(Ban.player_id).where(
        Ban.player_id == Player.id, or_(col(Ban.until).is_(None), col(Ban.until) > now)
    )
    return there.correlate(Player).exists()


def check(session: Session, player: Player, now: datetime) -> None:
    """Raise BadRequest for a player who is suspended now."""
    sentence = explained(session, player, now)
    if sentence:
        raise BadRequest(sentence)


def explained(session: Session, player: Player, now: datetime) -> str:
    """Return a sentence for a player who is suspended now; "" for others."""
    bar = bar_of(session, player, now)
    if bar is None:
        return ""
    zone = ZoneInfo(player.zone or "UTC")
    until = f" until {write_moment(bar.until, zone)}" if bar.until else ""
    return (
        f"You are suspended{until}: you can finish your games but cannot start games or send "
        f"messages. The administrator's reason: {bar.why}"
    )


def is_unheard(session: Session, email: str) -> bool:
    """Return whether emails from the address `email` are ignored.

    They are if its account is closed, or if it belongs to no player and is blocked.
    """
    _, confirmed_at, closed = prepared_statements.OWNER(session, email=email).first() or (None, None, None)
    return is_blocked(session, email) if confirmed_at is None else bool(closed)


def is_blocked(session: Session, email: str) -> bool:
    """Return whether an address or its domain is blocked from signing up."""
    patterns = (email, f"@{email.rpartition('@')[2]}")
    return (
        session.exec(select(BlockedAddress).where(col(BlockedAddress.pattern).in_(patterns))).first()
        is not None
    )

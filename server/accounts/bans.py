"""Suspended players, closed accounts, and blocked addresses."""

from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, or_, select

from server.clock.moments import write_moment
from server.errors import BadRequest
from server.store import prepared_statements
from server.store.models import Ban, BlockedAddress, Player


def bar_of(session: Session, player: Player, now: datetime) -> Ban | None:
    """What keeps a player from playing now; None for most."""
    bar = session.get(Ban, player.id)
    return bar if bar is not None and (bar.until is None or now < bar.until) else None


def is_barred(now: datetime) -> ColumnElement[bool]:
    """A condition: something keeps the player from playing now."""
    there = select(Ban.player_id).where(
        Ban.player_id == Player.id, or_(col(Ban.until).is_(None), col(Ban.until) > now)
    )
    return there.correlate(Player).exists()


def check(session: Session, player: Player, now: datetime) -> None:
    """Raise BadRequest for somebody who may neither begin games nor say anything now."""
    sentence = explained(session, player, now)
    if sentence:
        raise BadRequest(sentence)


def explained(session: Session, player: Player, now: datetime) -> str:
    """What is told somebody who may neither begin games nor say anything now; "" for most."""
    bar = bar_of(session, player, now)
    if bar is None:
        return ""
    until = f" until {write_moment(bar.until, ZoneInfo(player.zone))}" if bar.until else ""
    return (
        f"Your account is suspended{until}: you can play on in the games that you have, but neither begin "
        f"others nor say anything. The administrator's reason: {bar.why}"
    )


def is_unheard(session: Session, email: str) -> bool:
    """Whether nothing is done about mails from an address, which are not answered either.

    That is so if it is blocked and of nobody who plays here, and if its player's account is closed.
    """
    _, confirmed_at, closed = prepared_statements.OWNER(session, email=email).first() or (None, None, None)
    return is_blocked(session, email) if confirmed_at is None else bool(closed)


def is_blocked(session: Session, email: str) -> bool:
    """Whether nobody may become a player from an address, as it or its domain is blocked."""
    patterns = (email, f"@{email.rpartition('@')[2]}")
    return (
        session.exec(select(BlockedAddress).where(col(BlockedAddress.pattern).in_(patterns))).first()
        is not None
    )

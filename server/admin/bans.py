"""Suspensions, closed and deleted accounts, and blocked addresses."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, or_, select

from mail.addresses import BadAddress, normalise, normalise_domain
from rules.sentences import shortened
from server.accounts import access, bans, players
from server.admin.audit import AdminAction
from server.errors import BadRequest, refusing
from server.game.leaving.account_deletion import delete_account
from server.game.leaving.leave_everything import leave_all
from server.outbound.letters.account import AccountClosed, Suspended, Unbarred
from server.store.models import Ban, BlockedAddress, Player, Staff


@dataclass(frozen=True)
class BarView:
    """A player who is suspended (until a date, or for good) or whose account is closed."""

    number: int
    name: str
    closed: bool
    since: datetime
    until: datetime | None
    why: str


@dataclass(frozen=True)
class BlockView:
    """A blocked address, or "@" and a blocked domain: no one can sign up from it."""

    pattern: str
    since: datetime
    why: str


def suspend(admin_action: AdminAction, player: Player, until: datetime | None, why: str) -> None:
    """Forbid a player to start games and send messages until a time, or for good, and notify them.

    Raises BadRequest if the time is past or the player cannot be suspended.
    """
    _check(admin_action, player)
    if until is not None and until <= admin_action.action.now:
        raise BadRequest("Choose today or a later day, or leave the day empty.")
    _bar(admin_action, player, Ban(player_id=0, since=admin_action.action.now, until=until, why=why))
    admin_action.action.put_to_player(player, Suspended(players.identity(player), why, until))
    admin_action.note("suspended a player", player=players.identity(player), why=why)


def close(admin_action: AdminAction, player: Player, why: str) -> None:
    """Close a player's account: notify them, remove them from all games, log them out, ignore their emails.

    Raises BadRequest if the account cannot be closed.
    """
    _check(admin_action, player)
    number = players.identity(player)
    admin_action.action.put_to_player(player, AccountClosed(why))
    players.want_nothing(admin_action.action, player)
    leave_all(admin_action.action, player)
    _bar(admin_action, player, Ban(player_id=0, closed=True, since=admin_action.action.now, why=why))
    access.log_out_everywhere(admin_action.action, player)
    admin_action.note("closed an account", player=number, why=why)


def delete(admin_action: AdminAction, player: Player, why: str) -> None:
    """Delete a player's account as if they had asked for it, without a notification. Raises BadRequest."""
    if player.computer or not player.email:
        raise BadRequest(f"{player.name} is not a person with an account.")
    if admin_action.session.get(Staff, player.id) is not None:
        raise BadRequest(f"{player.name} has a role. Remove it first.")
    delete_account(admin_action.action, player)
    admin_action.note("deleted an account", player=players.identity(player), why=why)


def lift(admin_action: AdminAction, player: Player) -> None:
    """End a suspension or reopen an account. Raises BadRequest if there is nothing to end.

    Emails that were stopped when the account was closed stay stopped until the player writes or asks for them.
    """
    bar = bans.bar_of(admin_action.session, player, admin_action.action.now)
    if bar is None:
        raise BadRequest(f"{player.name} is not suspended.")
    admin_action.session.delete(bar)
    admin_action.action.put_to_player(player, Unbarred())
    admin_action.note(
        "reopened an account" if bar.closed else "ended a suspension", player=players.identity(player)
    )


def block(admin_action: AdminAction, pattern: str, why: str) -> str:
    """Forbid signing up from an address, or from a domain ("@example.org"); return its stored form.

    Existing players with such an address are not affected. Raises BadRequest if it is neither address nor
    domain.
    """
    pattern = pattern.strip()
    with refusing(BadAddress):
        kept = f"@{normalise_domain(pattern)}" if pattern.startswith("@") else normalise(pattern)
    if admin_action.session.get(BlockedAddress, kept) is not None:
        raise BadRequest(f"{kept} is already blocked.")
    admin_action.session.add(BlockedAddress(pattern=kept, since=admin_action.action.now, why=why))
    admin_action.note(f"blocked {kept}", why=why)
    return kept


def unblock(admin_action: AdminAction, pattern: str) -> None:
    """Remove the block of an address or domain. Raises BadRequest if it is not blocked."""
    row = admin_action.session.get(BlockedAddress, pattern)
    if row is None:
        raise BadRequest(f"{shortened(pattern)} is not blocked.")
    admin_action.session.delete(row)
    admin_action.note(f"unblocked {pattern}")


def barred(session: Session, now: datetime, limit: int, skip: int = 0) -> Sequence[BarView]:
    """Return all suspensions and closed accounts, the latest first."""
    query = select(Ban, Player.name).where(Ban.player_id == Player.id)
    query = query.where(or_(col(Ban.until).is_(None), col(Ban.until) > now))
    rows = session.exec(query.order_by(col(Ban.since).desc()).offset(skip).limit(limit))
    return [BarView(bar.player_id, name, bar.closed, bar.since, bar.until, bar.why) for bar, name in rows]


def blocked(session: Session, limit: int, skip: int = 0) -> Sequence[BlockView]:
    """Return all blocked addresses and domains, the latest first."""
    query = select(BlockedAddress).order_by(col(BlockedAddress.since).desc(), col(BlockedAddress.pattern))
    rows = session.exec(query.offset(skip).limit(limit))
    return [BlockView(row.pattern, row.since, row.why) for row in rows]


def _check(admin_action: AdminAction, player: Player) -> None:
    if player.computer or player.confirmed_at is None:
        raise BadRequest(f"{player.name} is not a person who plays here.")
    if admin_action.session.get(Staff, player.id) is not None:
        raise BadRequest(f"{player.name} has a role. Remove it first.")
    bar = bans.bar_of(admin_action.session, player, admin_action.action.now)
    if bar is not None and bar.closed:
        raise BadRequest(f"The account of {player.name} is already closed.")


def _bar(admin_action: AdminAction, player: Player, bar: Ban) -> None:
    bar.player_id = players.identity(player)
    admin_action.session.merge(bar)

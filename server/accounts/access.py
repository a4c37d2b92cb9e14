"""Acts that decide who can use an account later: what each requires, how it is reported, how it is withdrawn.

Logging in is not one of them: a session ends when its player logs out everywhere. Everything else that grants
access is listed in `ACTS`, and a test fails for a table or column that no act accounts for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlmodel import col, delete, select, update

from server.accounts import push_subscriptions
from server.accounts.login import sessions
from server.store.letters.account import AccountChanged
from server.store.models import (
    Address,
    ApiAnswer,
    ApiToken,
    AuditEntry,
    Browser,
    Change,
    Passkey,
    Player,
    Staff,
)
from server.store.outbox import ActionContext

UNDO_WITHIN = timedelta(days=14)
"""The time within which the owner of an account can answer “this was not me”."""
LOGGED_OUT = "You are logged out on all devices. API tokens and private addresses no longer work."
"""The sentence for a player who logs out everywhere."""
UNDONE = (
    "All addresses, passkeys, API tokens, private addresses, browser notifications and roles that were added "
    "since the change are removed, and your main address is restored. You are logged out on all devices."
)
"""The sentence for a player who has undone an account change."""
_EVER = datetime.fromtimestamp(0, UTC)

_Withdraw = Callable[[ActionContext, Player, datetime], None]
"""Withdraw the access that a player was granted since a moment."""


@dataclass(frozen=True)
class Act:
    """An act that grants or removes access."""

    name: str
    to_do: str
    """Completes “Log in again to …”."""
    done: str
    """The sentence of the report, with {} for a name or address."""
    withdraw: _Withdraw
    stored: tuple[str, ...] = ()
    """The table, or the column of `player`, that stores the access."""
    needs_fresh_login: bool = True
    """Whether it requires a session that began in the last minutes (`logged_in.FRESH`)."""
    instead: str = ""
    """The requirement in place of a fresh login or a code."""
    needs_code: bool = False
    """Whether it requires a current code of the second factor, however recently one was given."""
    is_reported: bool = True
    """Whether the main address gets an email about it, with a link that undoes it."""
    ends_with_logout: bool = False
    """Whether logging out everywhere withdraws it."""


def _withdraw_addresses(action: ActionContext, player: Player, since: datetime) -> None:
    granted = col(Address.player_id) == player.id, col(Address.since) >= since
    action.session.execute(delete(Address).where(*granted, col(Address.email) != player.email))


def _withdraw_passkeys(action: ActionContext, player: Player, since: datetime) -> None:
    granted = col(Passkey.player_id) == player.id, col(Passkey.added_at) >= since
    action.session.execute(delete(Passkey).where(*granted))


def _withdraw_tokens(action: ActionContext, player: Player, since: datetime) -> None:
    """Withdraw tokens, and delete the stored answers to their programs."""
    granted = col(ApiToken.player_id) == player.id, col(ApiToken.made_at) >= since
    action.session.execute(delete(ApiToken).where(*granted))
    action.session.execute(delete(ApiAnswer).where(col(ApiAnswer.player_id) == player.id))


def _withdraw_feeds(_: ActionContext, player: Player, since: datetime) -> None:
    """Turn the private addresses off, whenever they were created: the player can create new ones."""
    player.feed_key = None


def _withdraw_browsers(action: ActionContext, player: Player, since: datetime) -> None:
    granted = select(Browser).where(Browser.player_id == player.id, Browser.since >= since)
    for browser in action.session.exec(granted).all():
        push_subscriptions.remove(action.session, browser)


def _withdraw_second_factor(action: ActionContext, player: Player, since: datetime) -> None:
    """Take the role away: forgetting the second factor alone would help an attacker who reads the email."""
    staff = action.session.get(Staff, player.id)
    if staff is not None and staff.confirmed_at is not None and staff.confirmed_at >= since:
        _take_role(action, player, staff)


def _withdraw_roles(action: ActionContext, player: Player, since: datetime) -> None:
    given = select(Staff).join(
        AuditEntry,
        (col(AuditEntry.player_id) == col(Staff.player_id)) & (col(AuditEntry.at) == col(Staff.since)),
    )
    given = given.where(AuditEntry.by_id == player.id, Staff.since >= since)
    for staff in action.session.exec(given).unique().all():
        _take_role(action, player, staff)


def _take_role(action: ActionContext, player: Player, staff: Staff) -> None:
    what = "took the role away, answering “this was not me”"
    action.session.add(AuditEntry(at=action.now, by_id=player.id, what=what, player_id=staff.player_id))
    action.session.delete(staff)


def _withdraw_nothing(*_: object) -> None:
    """`undo` restores main and removed addresses from the report."""


ADDRESS = Act(
    "address",
    "add an address",
    "You can now log in and send moves from {}.",
    _withdraw_addresses,
    stored=("address",),
)
SENDER = Act(
    "sender",
    "accept moves from an address",
    "Moves from {} now count as yours. That address cannot log in.",
    _withdraw_addresses,
    stored=("address",),
    needs_fresh_login=False,
    instead="the player's “yes always”, and an email authenticated by its domain",
)
MAIN = Act(
    "main",
    "change your main address",
    "Your email now goes to {}.",
    _withdraw_nothing,
    stored=("player.email",),
)
REMOVAL = Act(
    "removal",
    "remove an address",
    "The address {} was removed from your account.",
    _withdraw_nothing,
)
PASSKEY = Act(
    "passkey",
    "add a passkey",
    "A passkey that can log in as you was added: “{}”.",
    _withdraw_passkeys,
    stored=("passkey",),
)
TOKEN = Act(
    "token",
    "create an API token",
    "An API token was created: “{}”. A program that has it can play, resign and send messages in your name.",
    _withdraw_tokens,
    stored=("apitoken",),
    ends_with_logout=True,
)
FEEDS = Act(
    "feeds",
    "see or change your private addresses",
    "Private addresses of your feed and your calendar were created. They show your games, without moves.",
    _withdraw_feeds,
    stored=("player.feed_key",),
    ends_with_logout=True,
)
PUSH = Act(
    "push",
    "get notifications in this browser",
    "A browser now shows notifications of your turns: {}.",
    _withdraw_browsers,
    stored=("browser",),
    needs_fresh_login=False,
    instead="a session, with which it ends",
    is_reported=False,
    ends_with_logout=True,
)
SECOND_FACTOR = Act(
    "second-factor",
    "set up a second factor",
    "A second factor was set up for your role on this server.",
    _withdraw_second_factor,
    stored=("staff",),
    needs_code=True,
)
ROLE = Act(
    "role",
    "give a role",
    "You gave a role on this server to {}.",
    _withdraw_roles,
    stored=("staff",),
    needs_fresh_login=False,  # the code is asked for
    needs_code=True,
)
ACTS = (ADDRESS, SENDER, MAIN, REMOVAL, PASSKEY, TOKEN, FEEDS, PUSH, SECOND_FACTOR, ROLE)
BY_NAME = {act.name: act for act in ACTS}


def report(
    action: ActionContext,
    player: Player,
    act: Act,
    what: str = "",
    where: str = "",
    *,
    removed_logs_in: bool = False,
) -> None:
    """Send an account change to the main address as it is now, even if the player wants no email.

    `what` is the name or address that changed, `where` how it was done: "in Firefox on Android". It is always a
    separate email, so that a reply is about nothing else.
    """
    letter = AccountChanged(
        player.id or 0, act.name, what, where, action.now, player.email, removed_logs_in=removed_logs_in
    )
    if player.email:
        replace(action, gathered={}).put(player.email, letter, player_id=player.id)


def can_undo(action: ActionContext, letter: AccountChanged) -> bool:
    """Return whether a reported change is recent enough to be undone, and its account still exists."""
    player = action.session.get(Player, letter.player)
    return player is not None and bool(player.email) and action.now - letter.at <= UNDO_WITHIN


def undo(action: ActionContext, letter: AccountChanged) -> Player | None:
    """Withdraw what a player was granted since a reported change, and log them out everywhere.

    The previous main address and a removed address are restored, unless they now belong to another player.
    Return the player; None if the report is too old or the account is gone.
    """
    session = action.session
    if not can_undo(action, letter):
        return None
    player = session.get_one(Player, letter.player)
    _restore(action, player, letter.main, logs_in=True)
    address = session.get(Address, letter.main)
    if address is not None and address.player_id == player.id:
        player.email = letter.main
    if letter.act == REMOVAL.name:
        _restore(action, player, letter.what, logs_in=letter.removed_logs_in)
    session.flush()
    for act in ACTS:
        act.withdraw(action, player, letter.at)
    log_out_everywhere(action, player)
    return player


def log_out_everywhere(action: ActionContext, player: Player) -> None:
    """End a player's sessions, login links and waiting changes.

    API tokens, feeds and notifications of browsers end, too (`Act.ends_with_logout`).
    """
    session = action.session
    sessions.end_all(session, player)
    for act in ACTS:
        if act.ends_with_logout:
            act.withdraw(action, player, _EVER)
    waiting = col(Change.player_id) == player.id, col(Change.ended_at).is_(None)
    session.execute(update(Change).where(*waiting).values(ended_at=action.now))


def _restore(action: ActionContext, player: Player, email: str, *, logs_in: bool) -> None:
    if action.session.get(Address, email) is None:
        restored = Address(email=email, player_id=player.id or 0, logs_in=logs_in, since=None)
        action.session.add(restored)

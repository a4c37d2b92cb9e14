"""Account changes with confirmation by email: a new address, a new main address, deletion.

A new main address is confirmed at the old and the new one. If the old one does not answer, for example because
that mailbox no longer exists, the change is made after two weeks. Until then the old address gets three emails,
each with a way to cancel.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from server.accounts import access, players
from server.clock.spans import DAY
from server.errors import BadRequest
from server.limits import MOST_ADDRESSES, MOST_CHANGES
from server.store.db import count_rows
from server.store.letters.account import ChangeAsked
from server.store.models import Address, Change, Player
from server.store.outbox import ActionContext

ADD, MAIN, DELETE = "add", "main", "delete"
WAITS = timedelta(days=14)
"""The time for an answer from the old main address."""
STANDS = timedelta(days=7)
"""The time within which any other change can be confirmed."""
MOST_TO_ADDRESS = 3
"""Maximum number of confirmation emails to an address per day."""
_REMINDED_EVERY = timedelta(days=6)
_REMEMBERED = timedelta(days=60)


def add(action: ActionContext, player: Player, email: str, own: str) -> str:
    """Ask an address whether the player may log in from there; return the sentence for the player.

    The sentence is the same for an address of another player, which gets no email. Raises BadRequest.
    """
    email = players.check_address(email, own)
    if players.logs_in_from(action.session, player, email):
        raise BadRequest(f"{email} is one of your addresses already.")
    if not players.writes_from(action.session, player, email):
        _check_room(action.session, player)
    _ask_at_new(action, player, _begin(action, player, ADD, email))
    return _told_of(email)


def make_main(action: ActionContext, player: Player, email: str, own: str) -> str:
    """Ask both addresses to confirm a new main address; return a sentence, as `add` does. Raises BadRequest."""
    email = players.check_address(email, own)
    if email == player.email:
        raise BadRequest(f"Your email goes to {email} already.")
    if not players.writes_from(action.session, player, email):
        _check_room(action.session, player)
    change = _begin(action, player, MAIN, email)
    _ask_at_new(action, player, change)
    _ask(action, player, change, player.email)
    return (
        f"{_told_of(email)} Another went to {player.email}: confirm both. If you can no longer read email "
        f"there, confirm the one to {email}; your email then goes there after {WAITS.days} days, unless "
        f"{player.email} objects."
    )


def remove(action: ActionContext, player: Player, email: str, own: str, where: str) -> str:
    """Remove an address of a player, and report it; return the sentence for the player.

    Earlier login links no longer work. `where` is as in `access.report`. Raises BadRequest.
    """
    session, email = action.session, players.check_address(email, own)
    if email == player.email:
        raise BadRequest(f"Your email goes to {email}. Choose another main address first.")
    if not players.writes_from(session, player, email):
        raise BadRequest(f"{email} is not one of your addresses.")
    address = session.get_one(Address, email)
    access.report(action, player, access.REMOVAL, email, where, removed_logs_in=address.logs_in)
    session.delete(address)
    player.login_serial += 1
    return f"{email} is no longer one of your addresses."


def ask_to_delete(action: ActionContext, player: Player) -> str:
    """Ask a player by email to confirm the deletion of their account; return a sentence. Raises BadRequest."""
    players.check_not_last_administrator(action.session, player)
    _ask(action, player, _begin(action, player, DELETE, ""), player.email)
    return f"An email is on its way to {player.email}: your account is deleted once you confirm it there."


def waiting_changes(session: Session, player: Player, now: datetime) -> list[Change]:
    """Return the waiting changes of a player's account."""
    waits = col(Change.ended_at).is_(None), col(Change.due_at) > now
    query = select(Change).where(Change.player_id == player.id, *waits)
    return list(session.exec(query.order_by(col(Change.id))))


def waiting_at(session: Session, now: datetime, number: int, address: str) -> tuple[Change, Player] | None:
    """Return a waiting change and its player if `address` may confirm it; None otherwise.

    That is the address in the change, unless it belongs to another player, or the player's main address.
    """
    change = session.get(Change, number)
    if change is None or change.ended_at is not None or change.due_at <= now:
        return None
    player = session.get_one(Player, change.player_id)
    free = players.by_email(session, change.email) in (None, player)
    return (change, player) if (address == change.email and free) or address == player.email else None


def agree(action: ActionContext, change: Change, address: str) -> bool:
    """Record a confirmation by an address, and make the change if it is complete; return whether it is.

    The caller has to delete the player if that is the change.
    """
    if address == change.email:
        change.new_agrees = True
    else:
        change.old_agrees = True
    enough = {ADD: change.new_agrees, MAIN: change.new_agrees and change.old_agrees, DELETE: change.old_agrees}
    if enough[change.what]:
        _make(action, change, f"and confirmed at {address}")
    return enough[change.what]


def cancel(change: Change, now: datetime) -> None:
    """Cancel a change of an account that waits for confirmation."""
    change.ended_at = now


def keep(action: ActionContext) -> None:
    """Complete changes that the old address has not answered in time, send reminders, delete old changes.

    The worker runs this every hour.
    """
    session, now = action.session, action.now
    waiting = select(Change).where(col(Change.ended_at).is_(None), Change.what == MAIN)
    for change in list(session.exec(waiting.order_by(col(Change.id)))):
        player = session.get_one(Player, change.player_id)
        if change.due_at <= now:
            if change.new_agrees and players.by_email(session, change.email) in (None, player):
                _make(action, change, f"as there was no objection within {WAITS.days} days")
            change.ended_at = now
        elif change.new_agrees and not change.old_agrees and now - change.told_at >= _REMINDED_EVERY:
            change.told_at = now
            _ask(action, player, change, player.email)
    for change in session.exec(select(Change).where(col(Change.due_at) < now - _REMEMBERED)):
        session.delete(change)


def _begin(action: ActionContext, player: Player, what: str, email: str) -> Change:
    """Create a waiting change, which replaces an equal one. Raises BadRequest."""
    session, now = action.session, action.now
    if count_rows(session, Change.player_id == player.id, col(Change.asked_at) > now - DAY) >= MOST_CHANGES:
        raise BadRequest("You have requested too many changes of your account today. Try again tomorrow.")
    for other in waiting_changes(session, player, now):
        if other.what == what and (what == MAIN or other.email == email):
            cancel(other, now)
    change = Change(
        player_id=players.identity(player),
        what=what,
        email=email,
        asked_at=now,
        told_at=now,
        due_at=now + (WAITS if what == MAIN else STANDS),
    )
    session.add(change)
    session.flush()
    return change


def _ask_at_new(action: ActionContext, player: Player, change: Change) -> None:
    """Ask the new address for confirmation, unless it is another player's or was asked too often."""
    if action.recent(change.email, ChangeAsked, DAY) >= MOST_TO_ADDRESS:
        return
    if players.by_email(action.session, change.email) in (None, player):
        _ask(action, player, change, change.email)
    else:
        action.put_nothing(change.email, ChangeAsked)


def _ask(action: ActionContext, player: Player, change: Change, to: str) -> None:
    letter = ChangeAsked(
        change.id or 0,
        change.what,
        player.name,
        change.email,
        to=to,
        due=change.due_at,
        zone=players.zone(player).key,
    )
    # Always a separate email, so that the reply “yes” is about nothing else.
    replace(action, gathered={}).put(to, letter, player_id=player.id if to == player.email else None)


def _make(action: ActionContext, change: Change, where: str) -> None:
    session = action.session
    change.ended_at = action.now
    player = session.get_one(Player, change.player_id)
    if change.what == DELETE:
        players.check_not_last_administrator(session, player)
        return
    access.report(action, player, access.MAIN if change.what == MAIN else access.ADDRESS, change.email, where)
    players.add_address(session, action.now, player, change.email)
    if change.what == MAIN:
        player.email = change.email
        player.bounce_score, player.bounced_at, player.suspended_at = 0, None, None


def _check_room(session: Session, player: Player) -> None:
    if count_rows(session, Address.player_id == player.id) >= MOST_ADDRESSES:
        raise BadRequest(f"You have {MOST_ADDRESSES} addresses: remove one of them first.")


def _told_of(email: str) -> str:
    return f"Unless {email} belongs to another player, an email with a link is on its way there."

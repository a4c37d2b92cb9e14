"""Deletion of an account: all data about a player is deleted; the games stay, under a neutral name."""

from sqlmodel import col, delete, select, update

from server.accounts import access, account_changes, players
from server.errors import BadRequest
from server.game.leaving.leave_everything import leave_all
from server.game.notifications import channels
from server.store.db import locked
from server.store.models import (
    Address,
    Change,
    Follow,
    GameMessage,
    Inquiry,
    Outbox,
    Passkey,
    Player,
    Relation,
    Seat,
    Staff,
    Variation,
    Watch,
)
from server.store.outbox import ActionContext


def delete_account(action: ActionContext, player: Player) -> None:
    """Make a player leave all games, and delete their data, except their messages in games.

    Old addresses, logins and links stop working.
    """
    session, number = action.session, players.identity(player)
    players.want_nothing(action, player)
    leave_all(action, player)
    channels.choose(action, player, "off")
    access.log_out_everywhere(action, player)
    session.flush()
    addresses = players.addresses_of(session, player)
    theirs = select(Seat.game_id).where(Seat.player_id == number, Seat.number == GameMessage.seat)
    for rows in (
        delete(GameMessage).where(col(GameMessage.private), col(GameMessage.game_id).in_(theirs)),
        delete(Variation).where(col(Variation.player_id) == number),
        delete(Inquiry).where(col(Inquiry.player_id) == number),
        delete(Relation).where((col(Relation.player_id) == number) | (col(Relation.other_id) == number)),
        delete(Watch).where(col(Watch.player_id) == number),
        delete(Follow).where((col(Follow.player_id) == number) | (col(Follow.other_id) == number)),
        delete(Staff).where(col(Staff.player_id) == number),
        delete(Outbox).where(col(Outbox.recipient).in_(addresses)),
        delete(Change).where(col(Change.player_id) == number, col(Change.ended_at).is_(None)),
        delete(Passkey).where(col(Passkey.player_id) == number),
        delete(Address).where(col(Address.player_id) == number),
        update(Change).where(col(Change.player_id) == number).values(email=""),
        update(Seat).where(col(Seat.player_id) == number).values(invited_as=""),
    ):
        session.execute(rows)
    players.forget(player)


def confirm(action: ActionContext, number: int, address: str) -> str:
    """Confirm the change `number` of an account, from `address`; return a sentence for the player.

    Raises BadRequest if there is no such change, or this address cannot confirm it.
    """
    change = _found(action, number, address)
    if not account_changes.agree(action, change, address):
        return "Confirmed. The change takes effect once it is confirmed at the other address as well."
    if change.what == account_changes.DELETE:
        delete_account(action, action.session.get_one(Player, change.player_id))
        return "Your account is deleted. Thank you for playing here."
    if change.what == account_changes.ADD:
        return f"You can now log in and send moves from {change.email}."
    return f"Your email goes to {change.email} from now on."


def cancel(action: ActionContext, number: int, address: str) -> str:
    """Cancel the change `number` of an account, from `address`; return a sentence for the player.

    Raises BadRequest if there is no such change, or this address cannot cancel it.
    """
    account_changes.cancel(_found(action, number, address), action.now)
    return "The change has been cancelled."


def _found(action: ActionContext, number: int, address: str) -> Change:
    locked(action.session, Change, number)
    found = account_changes.waiting_at(action.session, action.now, number, address)
    if found is None:
        raise BadRequest(
            f"There is no change {number} to confirm at your address. It may be done, cancelled or expired."
        )
    return found[0]

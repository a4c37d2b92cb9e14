"""What a change of an account that waits comes to, once somebody it concerns has confirmed or cancelled it."""

from server.accounts import changes
from server.errors import BadRequest
from server.game.deleting import delete_account
from server.store.db import locked
from server.store.models import Change, Player
from server.store.outbox import Action


def confirm(action: Action, number: int, address: str) -> str:
    """Confirm a change at an address; the sentence that tells what comes of it. Raises BadRequest."""
    change = _found(action, number, address)
    if not changes.agree(action, change, address):
        return "Confirmed here. It is done once it is confirmed at the other address as well."
    if change.what == changes.DELETE:
        delete_account(action, action.session.get_one(Player, change.player_id))
        return "Your account is deleted. Thank you for having played here."
    if change.what == changes.ADD:
        return f"You can now log in and send moves from {change.email}."
    return f"Your email goes to {change.email} from now on."


def cancel(action: Action, number: int, address: str) -> str:
    """Have a change never be made; the sentence that tells so. Raises BadRequest."""
    changes.cancel(_found(action, number, address), action.now)
    return "It is cancelled: nothing is changed."


def _found(action: Action, number: int, address: str) -> Change:
    locked(action.session, Change, number)
    found = changes.waiting_at(action.session, action.now, number, address)
    if found is None:
        raise BadRequest(
            f"Nothing waits to be confirmed with the number {number} at your address: it may be done, or "
            "cancelled, or have waited for too long."
        )
    return found[0]

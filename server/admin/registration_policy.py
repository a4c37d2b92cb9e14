"""Who may register, as administrators decide, and whom they invite."""

from server.accounts import newcomers, players
from server.accounts.login import links
from server.accounts.newcomers import NAME, Registration
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.store.models import Player, Policy


def set_mode(admin_action: AdminAction, mode: Registration) -> None:
    """Settle who may become a player from now on; nothing is written down where that is so already."""
    if newcomers.registration(admin_action.session) is mode:
        return
    admin_action.session.merge(Policy(name=NAME, value=mode))
    admin_action.note(f"set registration to {mode}")


def invite(admin_action: AdminAction, email: str, own: str) -> Player:
    """Mail somebody a link that makes them a player; they can also register later by themselves.

    `own` is our plain address. Raises BadRequest where nobody may become a player, for an address that is a
    player's, and for one that wants no mail.
    """
    if newcomers.registration(admin_action.session) is Registration.CLOSED:
        raise BadRequest("Registration is closed: open it, or let invited people in, and then invite.")
    player = players.invite(admin_action.action, email, own)
    if player.confirmed_at is not None:
        raise BadRequest(f"{player.email} is the address of {player.name}, who is a player already.")
    if player.mail_stopped:
        raise BadRequest(f"{player.email} has said that it wants no mail.")
    links.mail_registration(admin_action.action, player.email, "", player)
    admin_action.note("invited somebody", player=players.identity(player))
    return player

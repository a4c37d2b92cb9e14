"""The registration mode, and invitations by administrators."""

from server.accounts import newcomers, players
from server.accounts.login import links
from server.accounts.newcomers import NAME, Registration
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.store.models import Player, Policy


def set_mode(admin_action: AdminAction, mode: Registration) -> None:
    """Set who may sign up from now on; do nothing if that is already the mode."""
    if newcomers.registration(admin_action.session) is mode:
        return
    admin_action.session.merge(Policy(name=NAME, value=mode))
    admin_action.note(f"set registration to {mode}")


def invite(admin_action: AdminAction, email: str, own: str) -> Player:
    """Email someone a link to sign up; they can also sign up later without it.

    `own` is Nabu's plain address. Raises BadRequest if registration is closed, if the address belongs to a
    player, or if it wants no emails.
    """
    if newcomers.registration(admin_action.session) is Registration.CLOSED:
        raise BadRequest("Registration is closed. Set it to “open” or “invited” first.")
    player = players.invite(admin_action.action, email, own)
    if player.confirmed_at is not None:
        raise BadRequest(f"{player.email} already belongs to the player {player.name}.")
    if player.mail_stopped:
        raise BadRequest(f"{player.email} has asked for no more emails.")
    links.mail_registration(admin_action.action, player.email, "", player)
    admin_action.note("invited a player", player=players.identity(player))
    return player

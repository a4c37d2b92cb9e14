"""Who may become a player, as operators settle it, and whom they invite."""

from server.accounts import newcomers, players
from server.accounts.login import links
from server.accounts.newcomers import NAME, Registration
from server.admin.audit import Office
from server.errors import BadRequest
from server.store.models import Player, Policy


def settle(office: Office, mode: Registration) -> None:
    """Settle who may become a player from now on; nothing is written down where that is so already."""
    if newcomers.registration(office.session) is mode:
        return
    office.session.merge(Policy(name=NAME, value=mode))
    office.note(f"set registration to {mode}")


def invite(office: Office, email: str, own: str) -> Player:
    """Mail somebody a link that makes them a player; they can also register later by themselves.

    `own` is our plain address. Raises BadRequest where nobody may become a player, for an address that is a
    player's, and for one that wants no mail.
    """
    if newcomers.registration(office.session) is Registration.CLOSED:
        raise BadRequest("Registration is closed: open it, or let invited people in, and then invite.")
    player = players.invite(office.action, email, own)
    if player.confirmed_at is not None:
        raise BadRequest(f"{player.email} is the address of {player.name}, who is a player already.")
    if player.mail_stopped:
        raise BadRequest(f"{player.email} has said that it wants no mail.")
    links.mail_registration(office.action, player.email, "", player)
    office.note("invited somebody", player=players.identity(player))
    return player

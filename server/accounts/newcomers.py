"""Limits for sign-ups and for emails that strangers cause, by network and by domain; and the sign-up policy."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from ipaddress import ip_address, ip_network

from sqlalchemy import case
from sqlmodel import Session, col, func, select

from mail.incoming.peers import is_elsewhere, network_of
from server.accounts import bans
from server.errors import BadRequest
from server.store.keys.sealing import Sealer
from server.store.letters.account import RegisterLink, Welcome
from server.store.letters.letter import name_of
from server.store.models import Outbox, Player, Policy
from server.store.outbox import ActionContext

MOST_NEW_BY_NETWORK = 20
"""Maximum number of sign-ups and sign-up links per hour from one network."""
MOST_NEW_BY_DOMAIN = 100
"""Maximum number of them per hour for addresses of one domain."""
MOST_NEW = 1000
"""Maximum number of them per hour in total."""

_NEW = (name_of(RegisterLink), name_of(Welcome))
_HOUR = timedelta(hours=1)


def by_stranger(action: ActionContext, peer: str) -> ActionContext:
    """Return the action with the network of the stranger who causes its emails.

    `peer` is the IP address of their computer or of the mail server that delivered their email; "" if unknown.
    """
    return replace(action, origin=origin(action.sealer, peer))


def origin(sealer: Sealer, peer: str) -> str:
    """Return a keyed hash of the network of a computer; "" for this computer and for unknown ones."""
    if not is_elsewhere(peer):
        return ""
    address = ip_address(network_of(peer).partition("/")[0])
    return sealer.mark(f"network {ip_network((address, 24 if address.version == 4 else 48), strict=False)}")


def check_rush(action: ActionContext, email: str, otherwise: str = "") -> None:
    """Raise BadRequest if there were too many sign-ups in the last hour.

    `otherwise` is an alternative for the player, as the end of a sentence.
    """
    by_network, by_domain, in_all = of_strangers(action, email, _NEW, _HOUR)
    if by_network >= MOST_NEW_BY_NETWORK or by_domain >= MOST_NEW_BY_DOMAIN or in_all >= MOST_NEW:
        raise BadRequest(f"Too many people are trying to sign up just now. Try again in an hour{otherwise}.")


def is_known(player: Player | None) -> bool:
    """Return whether a player exists and has acted here themselves, so is not only invited."""
    return player is not None and player.confirmed_at is not None


def of_strangers(
    action: ActionContext, email: str, letters: Sequence[str], within: timedelta
) -> tuple[int, int, int]:
    """Return the numbers of these letters caused by strangers: same network, same domain, and in total.

    Only letters that are as doubtful as this action count.
    """
    same_network = col(Outbox.origin) == (action.origin or None)
    same_domain = col(Outbox.domain) == email.rpartition("@")[2]
    query = select(
        func.coalesce(func.sum(case((same_network, 1), else_=0)), 0),
        func.coalesce(func.sum(case((same_domain, 1), else_=0)), 0),
        func.count(),
    ).where(
        col(Outbox.origin).is_not(None),
        col(Outbox.doubtful).is_(action.doubtful),
        col(Outbox.letter).in_(letters),
        col(Outbox.created_at) > action.now - within,
    )
    return action.session.exec(query).one()


NAME = "registration"
"""The name of the policy."""


class Registration(StrEnum):
    """The sign-up policy."""

    OPEN = "open"
    INVITED = "invited"
    CLOSED = "closed"


SENTENCES = {
    Registration.INVITED: "Only invited people can sign up here at the moment: a player challenges their "
    "address, or an administrator invites them.",
    Registration.CLOSED: "Sign-up is closed here at the moment.",
}
"""The refusals."""


def registration(session: Session) -> Registration:
    """Return the present sign-up policy."""
    policy = session.get(Policy, NAME)
    return Registration.OPEN if policy is None else Registration(policy.value)


def admits(session: Session, email: str, player: Player | None) -> bool:
    """Return whether the owner of an address may sign up now; `player` is their row, None for a stranger.

    An invited person who has stopped all email is no longer invited.
    """
    if bans.is_blocked(session, email):
        return False
    mode = registration(session)
    is_invited = player is not None and not player.mail_stopped
    return mode is Registration.OPEN or (mode is Registration.INVITED and is_invited)


def check(session: Session, email: str, player: Player | None) -> None:
    """Raise BadRequest for a person who may not sign up now."""
    if not admits(session, email, player):
        mode = registration(session)
        raise BadRequest(SENTENCES.get(mode, SENTENCES[Registration.CLOSED]))


def check_open(session: Session, instead: str) -> None:
    """Raise BadRequest if sign-up is closed; `instead` is a sentence with an alternative."""
    if registration(session) is Registration.CLOSED:
        raise BadRequest(f"{SENTENCES[Registration.CLOSED]} {instead}")

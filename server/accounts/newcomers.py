"""How many strangers become players, or have letters mailed: told by their network, and by their domain."""

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
"""People who become players in an hour, or are mailed a link for it, at the request of one network."""
MOST_NEW_BY_DOMAIN = 100
"""The same, for addresses of one domain."""
MOST_NEW = 1000
"""The same in all."""

_NEW = (name_of(RegisterLink), name_of(Welcome))
_HOUR = timedelta(hours=1)


def by_stranger(action: ActionContext, peer: str) -> ActionContext:
    """The same action, which notes that a stranger has its letters mailed, and from which network.

    `peer` is the IP address of their computer, or of the mail server that brought their mail; "" for none
    known.
    """
    return replace(action, origin=origin(action.sealer, peer))


def origin(sealer: Sealer, peer: str) -> str:
    """A keyed hash of the network of a computer; "" for this one, and where none is known."""
    if not is_elsewhere(peer):
        return ""
    address = ip_address(network_of(peer).partition("/")[0])
    return sealer.mark(f"network {ip_network((address, 24 if address.version == 4 else 48), strict=False)}")


def check_rush(action: ActionContext, email: str, otherwise: str = "") -> None:
    """Raise BadRequest when enough people became players in the last hour: from one place, or in all.

    `otherwise` is what else can be done, as the end of a sentence.
    """
    by_network, by_domain, in_all = of_strangers(action, email, _NEW, _HOUR)
    if by_network >= MOST_NEW_BY_NETWORK or by_domain >= MOST_NEW_BY_DOMAIN or in_all >= MOST_NEW:
        raise BadRequest(
            f"Too many people are trying to become players just now. Try again in an hour{otherwise}."
        )


def is_known(player: Player | None) -> bool:
    """Whether somebody is a player: has done something here themselves."""
    return player is not None and player.confirmed_at is not None


def of_strangers(
    action: ActionContext, email: str, letters: Sequence[str], within: timedelta
) -> tuple[int, int, int]:
    """How many of these letters strangers had mailed: from the same network, to the same domain, in all.

    Those are counted that are as doubtful as this one.
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
    """Who may become a player."""

    OPEN = "open"
    INVITED = "invited"
    CLOSED = "closed"


SENTENCES = {
    Registration.INVITED: "Only people who were invited can become players here just now: by a player who "
    "challenges their address, or by an administrator.",
    Registration.CLOSED: "Nobody new can become a player here just now.",
}
"""What is said to those who may not."""


def registration(session: Session) -> Registration:
    """Who may become a player now."""
    policy = session.get(Policy, NAME)
    return Registration.OPEN if policy is None else Registration(policy.value)


def admits(session: Session, email: str, player: Player | None) -> bool:
    """Whether whoever has an address may become a player now, as they are known here: None for not at all.

    Who has said that they want no mail is not invited any more.
    """
    if bans.is_blocked(session, email):
        return False
    mode = registration(session)
    is_invited = player is not None and not player.mail_stopped
    return mode is Registration.OPEN or (mode is Registration.INVITED and is_invited)


def check(session: Session, email: str, player: Player | None) -> None:
    """Raise BadRequest for somebody who may not become a player now."""
    if not admits(session, email, player):
        mode = registration(session)
        raise BadRequest(SENTENCES.get(mode, SENTENCES[Registration.CLOSED]))


def check_open(session: Session, instead: str) -> None:
    """Raise BadRequest, saying what to do `instead`, where nobody may become a player, whatever the address."""
    if registration(session) is Registration.CLOSED:
        raise BadRequest(f"{SENTENCES[Registration.CLOSED]} {instead}")

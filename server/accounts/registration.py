"""Who may become a player: anybody, those who were invited, or nobody; settled by operators in the database.

Whoever has been invited to a game can accept it, and so become a player, as long as the invitation stands.
"""

from enum import StrEnum

from sqlmodel import Session

from server.accounts import bars
from server.errors import BadRequest
from server.store.models import Player, Policy

NAME = "registration"
"""The name of the policy."""


class Registration(StrEnum):
    """Who may become a player."""

    OPEN = "open"
    INVITED = "invited"
    CLOSED = "closed"


SENTENCES = {
    Registration.INVITED: "Only people who were invited can become players here just now: by a player who "
    "challenges their address, or by an operator.",
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
    if bars.is_blocked(session, email):
        return False
    mode = registration(session)
    is_invited = player is not None and not player.mail_stopped
    return mode is Registration.OPEN or (mode is Registration.INVITED and is_invited)


def check(session: Session, email: str, player: Player | None) -> None:
    """Raise BadRequest for somebody who may not become a player now."""
    if not admits(session, email, player):
        mode = registration(session)
        raise BadRequest(SENTENCES.get(mode, SENTENCES[Registration.CLOSED]))


def check_open(session: Session) -> None:
    """Raise BadRequest where nobody at all may become a player: the same for every address."""
    if registration(session) is Registration.CLOSED:
        raise BadRequest(f"{SENTENCES[Registration.CLOSED]} If you are one already, log in.")


def check_addresses(session: Session) -> None:
    """Raise BadRequest where people cannot be challenged by address: the same for players' and others'."""
    if registration(session) is Registration.CLOSED:
        raise BadRequest(
            f"{SENTENCES[Registration.CLOSED]} So challenge players by their names, not addresses."
        )

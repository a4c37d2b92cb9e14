"""Players as administrators and moderators see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from mail.addresses import normalised
from server.accounts import bans, players
from server.admin import roles
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.outbound.letters.account import BioRemoved
from server.store.models import Ban, Player


@dataclass(frozen=True)
class PersonRow:
    """A player in a list."""

    number: int
    name: str
    since: datetime


@dataclass(frozen=True)
class PersonView:
    """A player's page under /admin, as moderators see it; for the rest, see `player_file`."""

    number: int
    name: str
    since: datetime
    is_player: bool
    """Whether it is a person who has signed up."""
    bio: str
    """Their public line about themselves."""
    role: str
    wants_mail: bool
    bounces_since: datetime | None
    complained_at: datetime | None
    bar: Ban | None


def found(session: Session, wanted: str, limit: int, skip: int = 0) -> Sequence[PersonRow]:
    """Return the players whose names begin with `wanted`, by name; with "", all, the latest first."""
    query = select(Player).where(col(Player.confirmed_at).is_not(None), col(Player.computer).is_(False))
    key = " ".join(wanted.split()).casefold()
    if key:
        query = query.where(col(Player.name_key).startswith(key, autoescape=True))
        query = query.order_by(col(Player.name_key))
    else:
        query = query.order_by(col(Player.id).desc())
    rows = session.exec(query.offset(skip).limit(limit))
    return [PersonRow(players.identity(row), row.name, row.created_at) for row in rows]


def by_address(session: Session, email: str) -> int | None:
    """Return the number of the account with this address, signed up or not; None if there is none."""
    player = players.by_email(session, normalised(email))
    return None if player is None else player.id


def get_player(session: Session, player: Player, now: datetime) -> PersonView:
    """Return a player's page under /admin."""
    number = players.identity(player)
    return PersonView(
        number=number,
        name=player.name,
        since=player.created_at,
        is_player=player.confirmed_at is not None and not player.computer,
        bio=player.bio,
        role=roles.role_of(session, number) or "",
        wants_mail=not player.mail_stopped,
        bounces_since=player.suspended_at,
        complained_at=player.complained_at,
        bar=bans.bar_of(session, player, now),
    )


def remove(admin_action: AdminAction, player: Player, line: str, why: str) -> None:
    """Remove a player's line about themselves and notify them. Raises BadRequest if it has changed."""
    if not line or player.bio != line:
        raise BadRequest(f"{player.name} has changed this line. Reload the page.")
    player.bio = ""
    admin_action.action.put_to_player(player, BioRemoved(line, why))
    admin_action.note("removed a player's line about themselves", player=players.identity(player), why=why)

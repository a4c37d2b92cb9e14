"""Who has which role."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session, col, select

from server.accounts import access, players
from server.accounts.administrators import locked_administrators
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.store.models import Player, Staff


class Role(StrEnum):
    """What a player may do besides playing."""

    ADMINISTRATOR = "administrator"
    MODERATOR = "moderator"

    def covers(self, other: "Role") -> bool:
        """Whether whoever has this role may do what the other one may."""
        return self in (Role.ADMINISTRATOR, other)


WORDS = "An administrator does everything here. A moderator looks after complaints, blocks and announcements."
"""What each may do."""


def role_of(session: Session, player_id: int) -> Role | None:
    """The role of a player; None for most."""
    staff = session.get(Staff, player_id)
    return None if staff is None else Role(staff.role)


def give(admin_action: AdminAction, player: Player, role: Role | None, where: str = "") -> None:
    """Give a player a role, or with None take theirs away, with their second factor.

    A role that is given is reported to the administrator who gives it; `where` is as in `access.report`. Raises
    BadRequest for one's own, so that an administrator always stays, for somebody who is no player yet, and
    where nothing would change.
    """
    number = players.identity(player)
    if admin_action.by not in (None, *locked_administrators(admin_action.session)):
        raise BadRequest("You are no administrator any more.")
    staff = admin_action.session.get(Staff, number)
    if number == admin_action.by:
        raise BadRequest("You cannot change your own role: ask another administrator, or use the command line.")
    if player.computer or player.confirmed_at is None:
        raise BadRequest(f"{player.name} is no person who plays here, and cannot have a role.")
    if role == (None if staff is None else staff.role):
        raise BadRequest(f"{player.name} {f'is {role} already' if role else 'has no role'}.")
    if role is None:
        admin_action.session.delete(staff)
        admin_action.note("took the role away", player=number)
        return
    if staff is None:
        staff = Staff(player_id=number, role=role, since=admin_action.action.now)
    staff.role, staff.since = role, admin_action.action.now
    admin_action.session.add(staff)
    admin_action.note(f"gave the role of {role}", player=number)
    if admin_action.by is not None:
        giver = admin_action.session.get_one(Player, admin_action.by)
        access.report(admin_action.action, giver, access.ROLE, player.name, where)


@dataclass(frozen=True)
class MemberView:
    """Somebody who has a role; `is_set_up` once they have a second factor."""

    number: int
    name: str
    role: str
    since: datetime
    is_set_up: bool


def everybody(session: Session) -> list[MemberView]:
    """All who have a role, those who have had it longest first."""
    query = select(Staff, Player.name).where(Staff.player_id == Player.id).order_by(col(Staff.since))
    return [
        MemberView(staff.player_id, name, staff.role, staff.since, staff.confirmed_at is not None)
        for staff, name in session.exec(query)
    ]

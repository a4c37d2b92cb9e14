"""The roles of administrators and moderators."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session, col, select

from server.accounts import access, players
from server.admin.audit import AdminAction
from server.errors import BadRequest
from server.store.models import Player, Staff


class Role(StrEnum):
    """A role that lets a player use the pages under /admin."""

    ADMINISTRATOR = "administrator"
    MODERATOR = "moderator"

    def covers(self, other: "Role") -> bool:
        """Return whether this role includes all rights of the other one."""
        return self in (Role.ADMINISTRATOR, other)


WORDS = "An administrator can do everything here. A moderator handles complaints, blocks and announcements."
"""A sentence about the rights of each role."""


def role_of(session: Session, player_id: int) -> Role | None:
    """Return the role of a player; None without one."""
    staff = session.get(Staff, player_id)
    return None if staff is None else Role(staff.role)


def give(admin_action: AdminAction, player: Player, role: Role | None, where: str = "") -> None:
    """Give a player a role; with None, remove it together with their second factor.

    The administrator who gives a role is notified of it; `where` is as in `access.report`. Raises BadRequest
    for the administrator's own role (so that one always remains), for accounts that have not signed up, and if
    nothing would change.
    """
    number = players.identity(player)
    if admin_action.by not in (None, *players.locked_administrators(admin_action.session)):
        raise BadRequest("You are no longer an administrator.")
    staff = admin_action.session.get(Staff, number)
    if number == admin_action.by:
        raise BadRequest("You cannot change your own role. Ask another administrator, or use the command line.")
    if player.computer or player.confirmed_at is None:
        raise BadRequest(f"{player.name} is not a person who plays here, and cannot have a role.")
    if role == (None if staff is None else staff.role):
        raise BadRequest(f"{player.name} {f'is already {role}' if role else 'has no role'}.")
    if role is None:
        admin_action.session.delete(staff)
        admin_action.note("removed the role", player=number)
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
    """A player with a role; `is_set_up` says whether they have a second factor."""

    number: int
    name: str
    role: str
    since: datetime
    is_set_up: bool


def everybody(session: Session) -> list[MemberView]:
    """Return all players with a role, the longest-serving first."""
    query = select(Staff, Player.name).where(Staff.player_id == Player.id).order_by(col(Staff.since))
    return [
        MemberView(staff.player_id, name, staff.role, staff.since, staff.confirmed_at is not None)
        for staff, name in session.exec(query)
    ]

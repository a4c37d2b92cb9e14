"""Who is let in: people with a role, once they have given a code of their second factor in this login."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import segno
from flask import Blueprint, abort, flash, g, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from server.accounts import access, players
from server.admin import second_factor
from server.admin.audit import AdminAction
from server.admin.roles import Role
from server.errors import BadRequest
from server.store.db import locked
from server.store.models import Staff
from server.web.shared.fresh_login import check_fresh, here, is_fresh
from server.web.shared.visits import PageResponse, Visit, acting, looking, services, visitor

pages = Blueprint("door", __name__)

WRONG_CODE = "That code is wrong, or was used before. Wait for the next one, and try that."
PASSED = "second factor"
"""When the last right code was given, in the cookie of this login."""
_SECTIONS = {
    "overview": ("Overview", Role.MODERATOR),
    "complaints": ("Complaints", Role.MODERATOR),
    "people": ("Players", Role.MODERATOR),
    "blocks": ("Blocks", Role.MODERATOR),
    "games": ("Games", Role.ADMINISTRATOR),
    "tournaments": ("Tournaments", Role.ADMINISTRATOR),
    "quarantine": ("Quarantine", Role.ADMINISTRATOR),
    "outbox": ("Mail going out", Role.ADMINISTRATOR),
    "bounces": ("Bounces", Role.ADMINISTRATOR),
    "announcements": ("Announcements", Role.MODERATOR),
    "admission": ("Registration", Role.ADMINISTRATOR),
    "staff": ("Roles", Role.ADMINISTRATOR),
    "history": ("Log", Role.ADMINISTRATOR),
}
"""The sections by name, with their words and who may see them; the first page of each is `show`."""


@dataclass(frozen=True)
class Member:
    """A visitor who has a role; `is_in` once a code of theirs is fresh, `is_set_up` once they can give one."""

    number: int
    role: Role
    is_in: bool
    is_set_up: bool


def section(name: str) -> Blueprint:
    """The pages of a section: whoever may not see it finds nothing there."""
    made = Blueprint(name, f"{__package__}.{name}")
    made.before_request(partial(_admit, _SECTIONS[name][1]))
    return made


def admin_action(visit: Visit) -> AdminAction:
    """What a member does within a visit."""
    return AdminAction(visit.action, players.identity(visit.player))


def frame() -> dict[str, Any]:
    """What all pages of the sections show: the ways to those that the member may see."""
    found, shown = member(), []
    if found is not None and found.is_in:
        shown = [
            (f"admin.{name}.show", words)
            for name, (words, role) in _SECTIONS.items()
            if found.role.covers(role)
        ]
    return {"sections": shown}


def member() -> Member | None:
    """The visitor, if they have a role, looked up once a request."""
    if "member" not in g:
        g.member = _recognised()
    found: Member | None = g.member
    return found


def _recognised() -> Member | None:
    who = visitor()
    if who is None:
        return None
    with looking() as visit:
        staff = visit.session.get(Staff, who.number)
        if staff is None:
            return None
        passed = datetime.fromtimestamp(session.get(PASSED, 0), UTC)
        is_in = second_factor.is_fresh(staff, passed, visit.action.now)
        return Member(who.number, Role(staff.role), is_in, staff.confirmed_at is not None)


@pages.get("/enter")
def ask() -> PageResponse:
    """The form for a code, or for setting the second factor up."""
    if not _known().is_set_up:
        return _set_up_page()
    return render_template("admin/enter.html", problem="")


@pages.post("/enter")
def enter() -> PageResponse:
    """Go in, if the code is right."""
    _known()
    return _with_code(second_factor.enter, lambda _: _go_in(), "admin/enter.html")


@pages.get("/factor")
def replace() -> PageResponse:
    """The form to set up a second factor, or another one in place of the first."""
    _known()
    return _set_up_page()


@pages.post("/factor")
def begin() -> PageResponse:
    """Draw a key for a second factor; to replace one requires a current code of it, however recent the last."""
    known, right = _known(), True
    try:
        with acting() as visit:
            check_fresh(visit, access.SECOND_FACTOR)
            if known.is_set_up:
                right = spend_code(visit)
            if right:
                second_factor.begin(admin_action(visit), _own_row(visit))
    except BadRequest as problem:
        return _set_up_page(str(problem)), 422
    return redirect(url_for("admin.door.ask"), 303) if right else (_set_up_page(WRONG_CODE), 422)


@pages.post("/factor/confirm")
def confirm() -> PageResponse:
    """Require codes of the new key from now on, and show the recovery codes, this once."""
    _known()

    def use(admin_action: AdminAction, staff: Staff, code: str) -> list[str] | None:
        return second_factor.confirm(admin_action, staff, code, here())

    def show(codes: list[str]) -> str:
        _pass()
        return render_template("admin/recovery.html", codes=codes)

    try:
        with looking() as visit:
            check_fresh(visit, access.SECOND_FACTOR)
    except BadRequest as problem:
        return _set_up_page(str(problem)), 422
    return _with_code(use, show, "")


def spend_code(visit: Visit) -> bool:
    """Return whether the form holds a current code of the visitor's. Wrong codes are counted.

    The caller commits either way. Raises BadRequest after too many wrong ones.
    """
    return second_factor.check(admin_action(visit), _own_row(visit), request.form.get("code", ""))


def _with_code(
    use: Callable[[AdminAction, Staff, str], Any], then: Callable[[Any], PageResponse], form: str
) -> PageResponse:
    """Use the code that was sent; the `form` again, or that of the set-up, with what is wrong with it.

    What is counted is stored, whether the code is right or not.
    """
    problem, found = WRONG_CODE, None
    with acting() as visit:
        try:
            found = use(admin_action(visit), _own_row(visit), request.form.get("code", ""))
        except BadRequest as refusal:
            problem = str(refusal)
    if found:
        return then(found)
    return (render_template(form, problem=problem) if form else _set_up_page(problem)), 422


def _set_up_page(problem: str = "") -> str:
    with looking() as visit:
        staff = visit.session.get_one(Staff, visit.player.id)
        address = services().settings.mail_domain
        fresh, email = is_fresh(visit), visit.player.email
        # A key that waits to be confirmed is shown to nobody who only found an open session.
        key = second_factor.key(visit.action.sealer, staff, visit.player, address) if fresh else None
        known = {"is_set_up": staff.confirmed_at is not None, "fresh": fresh, "email": email}
    picture = segno.make(key.address).svg_data_uri(scale=5, light="white") if key else ""
    return render_template("admin/set_up.html", key=key, picture=picture, problem=problem, **known)


def _go_in() -> Response:
    _pass()
    return redirect(url_for("admin.overview.show"), 303)


def _pass() -> None:
    """Let this login in for a while."""
    session[PASSED] = services().now().timestamp()
    g.pop("member", None)
    flash(f"You can use these pages for {round(second_factor.GOOD_FOR.total_seconds() / 3600)} hours.")


def _admit(role: Role) -> Response | None:
    """Let in a member who may see the section, once their code is fresh; there is nothing here for others."""
    found = member()
    if found is None or not found.role.covers(role):
        abort(404)
    return None if found.is_in else redirect(url_for("admin.door.ask"), 303)


def _known() -> Member:
    """The visitor, who has a role; there is nothing here for others."""
    found = member()
    if found is None:
        abort(404)
    return found


def _own_row(visit: Visit) -> Staff:
    """The visitor's row, locked, so that codes tried at once are counted one by one."""
    staff = locked(visit.session, Staff, visit.player.id)
    if staff is None:
        abort(404)
    return staff

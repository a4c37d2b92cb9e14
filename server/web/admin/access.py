"""Access to the administration pages: people with a role, after a code of their second factor in this login."""

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
from server.web.shared.browser_names import here
from server.web.shared.fresh_login import check_fresh, is_fresh
from server.web.shared.visits import PageResponse, Visit, acting, looking, services, visitor

pages = Blueprint("door", __name__)

WRONG_CODE = "This code is wrong or was used before. Wait for the next code and try again."
PASSED = "second factor"
"""The key in the session cookie for the time of the last correct code."""
_SECTIONS = {
    "overview": ("Overview", Role.MODERATOR),
    "complaints": ("Complaints", Role.MODERATOR),
    "people": ("Players", Role.MODERATOR),
    "blocks": ("Blocks", Role.MODERATOR),
    "games": ("Games", Role.ADMINISTRATOR),
    "tournaments": ("Tournaments", Role.ADMINISTRATOR),
    "quarantine": ("Quarantine", Role.ADMINISTRATOR),
    "outbox": ("Outgoing email", Role.ADMINISTRATOR),
    "bounces": ("Bounces", Role.ADMINISTRATOR),
    "announcements": ("Announcements", Role.MODERATOR),
    "admission": ("Registration", Role.ADMINISTRATOR),
    "staff": ("Roles", Role.ADMINISTRATOR),
    "history": ("Log", Role.ADMINISTRATOR),
}
"""The sections by name, with their label and the role they require; the first page of each is `show`."""


@dataclass(frozen=True)
class Member:
    """A visitor with a role; `is_in` if their last code is fresh, `is_set_up` if they have a second factor."""

    number: int
    role: Role
    is_in: bool
    is_set_up: bool


def section(name: str) -> Blueprint:
    """Return the blueprint of a section; visitors without its role get 404."""
    made = Blueprint(name, f"{__package__}.{name}")
    made.before_request(partial(_admit, _SECTIONS[name][1]))
    return made


def admin_action(visit: Visit) -> AdminAction:
    """Return the context for an administrative action in a visit."""
    return AdminAction(visit.action, players.identity(visit.player))


def frame() -> dict[str, Any]:
    """Return the links to the sections that the visitor may see, for all administration pages."""
    found, shown = member(), []
    if found is not None and found.is_in:
        shown = [
            (f"admin.{name}.show", words)
            for name, (words, role) in _SECTIONS.items()
            if found.role.covers(role)
        ]
    return {"sections": shown}


def member() -> Member | None:
    """Return the visitor if they have a role; looked up once per request."""
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
    """Show the form for a code, or the page to set up a second factor."""
    if not _known().is_set_up:
        return _set_up_page()
    return render_template("admin/enter.html", problem="")


@pages.post("/enter")
def enter() -> PageResponse:
    """Check the code, and open the pages if it is correct."""
    _known()
    return _with_code(second_factor.enter, lambda _: _go_in(), "admin/enter.html")


@pages.get("/factor")
def replace() -> PageResponse:
    """Show the form to set up or replace a second factor."""
    _known()
    return _set_up_page()


@pages.post("/factor")
def begin() -> PageResponse:
    """Draw a key for a second factor. Replacing one requires a current code, even after a recent one."""
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
    """Start to require codes of the new key, and show the recovery codes, only once."""
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
    """Return whether the form contains a current code of the visitor. Wrong codes are counted.

    The caller must commit in both cases. Raises BadRequest after too many wrong codes.
    """
    return second_factor.check(admin_action(visit), _own_row(visit), request.form.get("code", ""))


def _with_code(
    use: Callable[[AdminAction, Staff, str], Any], then: Callable[[Any], PageResponse], form: str
) -> PageResponse:
    """Use the submitted code; if it is wrong, show the `form` or the set-up page again with the error.

    The count of wrong codes is stored in both cases.
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
        # Someone who only found an open session must not see a key that waits for confirmation.
        key = second_factor.key(visit.action.sealer, staff, visit.player, address) if fresh else None
        known = {"is_set_up": staff.confirmed_at is not None, "fresh": fresh, "email": email}
    picture = segno.make(key.address).svg_data_uri(scale=5, light="white") if key else ""
    return render_template("admin/set_up.html", key=key, picture=picture, problem=problem, **known)


def _go_in() -> Response:
    _pass()
    return redirect(url_for("admin.overview.show"), 303)


def _pass() -> None:
    """Open the administration pages to this login for some hours."""
    session[PASSED] = services().now().timestamp()
    g.pop("member", None)
    hours = round(second_factor.GOOD_FOR.total_seconds() / 3600)
    flash(f"You can use the administration pages for {hours} hours.")


def _admit(role: Role) -> Response | None:
    """Admit a member with the role whose code is fresh; 404 for others."""
    found = member()
    if found is None or not found.role.covers(role):
        abort(404)
    return None if found.is_in else redirect(url_for("admin.door.ask"), 303)


def _known() -> Member:
    """Return the visitor if they have a role; 404 otherwise."""
    found = member()
    if found is None:
        abort(404)
    return found


def _own_row(visit: Visit) -> Staff:
    """Return the visitor's row, locked, so that codes tried at the same time are counted one by one."""
    staff = locked(visit.session, Staff, visit.player.id)
    if staff is None:
        abort(404)
    return staff

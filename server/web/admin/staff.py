"""Roles of players, and resetting their second factor."""

from flask import render_template, request

from server.admin import roles, second_factor
from server.admin.games import player_named
from server.admin.roles import Role
from server.errors import BadRequest
from server.store.db import locked
from server.store.models import Staff
from server.web.admin.access import WRONG_CODE, admin_action, section, spend_code
from server.web.shared.browser_names import here
from server.web.shared.visits import PageResponse, acting, done, looking

pages = section("staff")


@pages.get("/roles")
def show() -> str:
    """List the players with a role."""
    return _page()


@pages.post("/roles")
def change() -> PageResponse:
    """Give a player a role or remove it."""
    name, wanted = request.form.get("name", "").strip(), request.form.get("role", "")
    role = Role(wanted) if wanted in set(Role) else None
    try:
        with acting() as visit:
            player = player_named(visit.session, name)
            right = spend_code(visit)
            if right:
                roles.give(admin_action(visit), player, role, here())
    except BadRequest as problem:
        return _page(name, wanted, str(problem)), 422
    if not right:
        return _page(name, wanted, code_problem=WRONG_CODE), 422
    return done(
        f"{player.name} is {role} now." if role else f"{player.name} no longer has a role.", "admin.staff.show"
    )


@pages.post("/roles/<int:number>/reset")
def reset(number: int) -> PageResponse:
    """Remove a person's second factor, for example after they have lost their phone."""
    try:
        with acting() as visit:
            staff = locked(visit.session, Staff, number)
            if staff is None:
                raise BadRequest("This player no longer has a role.")
            right = spend_code(visit)
            if right:
                second_factor.reset(admin_action(visit), staff)
    except BadRequest as problem:
        return _page(reset_problem=str(problem)), 422
    if not right:
        return _page(reset_problem=WRONG_CODE), 422
    return done(
        "The second factor has been reset. The player must set up a new one at the next visit.",
        "admin.staff.show",
    )


def _page(
    name: str = "", role: str = "", problem: str = "", code_problem: str = "", reset_problem: str = ""
) -> str:
    with looking() as visit:
        found = roles.everybody(visit.session)
    return render_template(
        "admin/roles.html",
        found=found,
        choices=[*((each.value, each.value) for each in Role), ("", "none")],
        hint=roles.WORDS,
        name=name,
        role=role or Role.MODERATOR,
        problem=problem,
        code_problem=code_problem,
        reset_problem=reset_problem,
    )

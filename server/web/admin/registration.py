"""Who may become a player."""

from flask import flash, redirect, render_template, request, url_for

from server.accounts.newcomers import Registration, registration
from server.admin import registration_policy
from server.errors import BadRequest
from server.web.admin.access import admin_action, section
from server.web.shared.visits import PageResponse, acting, looking, services

pages = section("admission")

_CHOICES = (
    (Registration.OPEN, "open: anybody can become a player"),
    (
        Registration.INVITED,
        "invited: only people whom a player has challenged, or an administrator has invited",
    ),
    (Registration.CLOSED, "closed: nobody, and nobody can be challenged by address"),
)


@pages.get("/registration")
def show() -> str:
    """Who may become a player now, and the form for an invitation."""
    return _page()


@pages.post("/registration")
def set_mode() -> PageResponse:
    """Settle who may become a player."""
    wanted = request.form.get("mode", "")
    if wanted not in set(Registration):
        raise BadRequest("Choose one of open, invited and closed.")
    with acting() as visit:
        registration_policy.set_mode(admin_action(visit), Registration(wanted))
    flash(f"Registration is {wanted} now.")
    return redirect(url_for("admin.admission.show"), 303)


@pages.post("/registration/invite")
def invite() -> PageResponse:
    """Mail somebody a link that makes them a player."""
    email = request.form.get("email", "").strip()
    try:
        with acting() as visit:
            player = registration_policy.invite(admin_action(visit), email, services().settings.plain_address)
    except BadRequest as problem:
        return _page(email, str(problem)), 422
    flash(f"{player.email} is invited.")
    return redirect(url_for("admin.admission.show"), 303)


def _page(email: str = "", problem: str = "") -> str:
    with looking() as visit:
        mode = registration(visit.session)
    return render_template("admin/admission.html", mode=mode, choices=_CHOICES, email=email, problem=problem)

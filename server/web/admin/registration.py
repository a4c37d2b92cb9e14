"""Registration: open, by invitation or closed."""

from flask import render_template, request

from server.accounts.newcomers import Registration, registration
from server.admin import registration_policy
from server.errors import BadRequest
from server.web.admin.access import admin_action, section
from server.web.shared.visits import PageResponse, acting, done, looking, services

pages = section("admission")

_CHOICES = (
    (Registration.OPEN, "open: anyone can sign up"),
    (
        Registration.INVITED,
        "invited: only people who were challenged by a player or invited by an administrator",
    ),
    (Registration.CLOSED, "closed: nobody can sign up, and players cannot challenge people by email address"),
)


@pages.get("/registration")
def show() -> str:
    """Show the registration mode and the form for an invitation."""
    return _page()


@pages.post("/registration")
def set_mode() -> PageResponse:
    """Set the registration mode."""
    wanted = request.form.get("mode", "")
    if wanted not in set(Registration):
        raise BadRequest("Choose open, invited or closed.")
    with acting() as visit:
        registration_policy.set_mode(admin_action(visit), Registration(wanted))
    return done(f"Registration is now “{wanted}”.", "admin.admission.show")


@pages.post("/registration/invite")
def invite() -> PageResponse:
    """Email someone a link to sign up."""
    email = request.form.get("email", "").strip()
    try:
        with acting() as visit:
            player = registration_policy.invite(admin_action(visit), email, services().settings.plain_address)
    except BadRequest as problem:
        return _page(email, str(problem)), 422
    return done(f"{player.email} has been invited.", "admin.admission.show")


def _page(email: str = "", problem: str = "") -> str:
    with looking() as visit:
        mode = registration(visit.session)
    return render_template("admin/admission.html", mode=mode, choices=_CHOICES, email=email, problem=problem)

"""The overview: problems and tasks for administrators."""

from flask import render_template

from server.admin.health import overview
from server.web.admin.access import section
from server.web.shared.visits import looking

pages = section("overview")


@pages.get("")
def show() -> str:
    """Show the overview."""
    with looking() as visit:
        found = overview(visit.session, visit.action.now)
    return render_template("admin/overview.html", view=found)

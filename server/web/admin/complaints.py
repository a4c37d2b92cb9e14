"""Reported messages and spam complaints."""

from flask import render_template
from werkzeug.wrappers import Response

from server.admin import complaints
from server.game.spectators import abuse_reports
from server.web.admin.access import admin_action, section
from server.web.admin.paging import Page
from server.web.shared.visits import acting, done, looking

pages = section("complaints")


@pages.get("/complaints")
def show() -> str:
    """Show reported messages, the oldest first, and players who marked an email as spam."""
    with looking() as visit:
        page = Page.asked()
        page = page.with_rows(
            abuse_reports.unresolved(visit.session, visit.action.sealer, limit=page.limit, skip=page.skip)
        )
        unwanted = complaints.unwanted(visit.session, visit.action.now, Page.limit)
    return render_template("admin/complaints.html", page=page, unwanted=unwanted)


@pages.post("/complaints/<int:number>/done")
def resolve_report(number: int) -> Response:
    """Mark a report as done."""
    with acting() as visit:
        complaints.resolve_report(admin_action(visit), number)
    return done("Done.", "admin.complaints.show")

"""Players whose emails are stopped because of bounces."""

from flask import render_template

from server.admin import outgoing_mail
from server.web.admin.access import section
from server.web.admin.paging import Page
from server.web.shared.visits import looking

pages = section("bounces")


@pages.get("/bounces")
def show() -> str:
    """List the players whose emails are stopped because of bounces, those stopped longest first."""
    page = Page.asked()
    with looking() as visit:
        found = page.with_rows(outgoing_mail.list_stopped(visit.session, page.limit, page.skip))
    return render_template("admin/bounces.html", found=found)

"""The log of administrative actions."""

from flask import render_template, request

from server.admin import audit
from server.web.admin.access import section
from server.web.admin.paging import Page
from server.web.shared.visits import looking

pages = section("history")


@pages.get("/log")
def show() -> str:
    """Show all actions, the latest first, or those about one player (`?about=7`)."""
    about = request.args.get("about", None, type=int)
    page = Page.asked()
    with looking() as visit:
        found = page.with_rows(audit.done(visit.session, page.limit, page.skip, about))
    return render_template("admin/log.html", found=found, about=about)

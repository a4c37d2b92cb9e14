"""Announcements to all players."""

from datetime import timedelta

from flask import render_template, request
from werkzeug.wrappers import Response

from server.admin import announcements
from server.clock.errors import BadTime
from server.clock.moments import day_start, read_date
from server.errors import BadRequest
from server.web.admin.access import admin_action, section
from server.web.admin.paging import Page
from server.web.shared.visits import PageResponse, acting, done, looking, require_login

pages = section("announcements")


@pages.get("/announcements")
def show() -> str:
    """Show all announcements, the latest first, and the form for a new one."""
    return _page("", "", {})


@pages.post("/announcements")
def announce() -> PageResponse:
    """Publish an announcement until the end of a day."""
    text, day = request.form.get("text", ""), request.form.get("until", "").strip()
    try:
        until = day_start(read_date(day) + timedelta(days=1), require_login().zone)
    except BadTime as problem:
        return _page(text, day, {"until": str(problem)}), 422
    try:
        with acting() as visit:
            announcements.announce(admin_action(visit), text, until, mail="mail" in request.form)
    except BadRequest as problem:
        return _page(text, day, {"text": str(problem)}), 422
    return done("The announcement is published.", "admin.announcements.show")


@pages.post("/announcements/<int:number>/end")
def end(number: int) -> Response:
    """End an announcement."""
    with acting() as visit:
        announcements.end(admin_action(visit), number)
    return done("The announcement has ended.", "admin.announcements.show")


def _page(text: str, until: str, problems: dict[str, str]) -> str:
    page = Page.asked()
    with looking() as visit:
        found = page.with_rows(announcements.list_announcements(visit.session, page.limit, page.skip))
        now = visit.action.now
    return render_template(
        "admin/announcements.html", found=found, text=text, until=until, problems=problems, now=now
    )

"""Suspended players, closed accounts, and blocked addresses."""

from flask import render_template, request
from werkzeug.wrappers import Response

from server.admin import audit, bans
from server.errors import BadRequest
from server.web.admin.access import admin_action, section
from server.web.admin.paging import Page
from server.web.shared.visits import PageResponse, acting, done, looking

pages = section("blocks")


@pages.get("/blocks")
def show() -> str:
    """Show suspended players, closed accounts and blocked addresses."""
    return _page()


@pages.post("/blocks")
def block() -> PageResponse:
    """Block sign-up from an address or a domain."""
    pattern, why = request.form.get("pattern", ""), request.form.get("why", "")
    try:
        with acting() as visit:
            kept = bans.block(admin_action(visit), pattern, audit.reason(why))
    except BadRequest as problem:
        return _page(pattern, why, str(problem)), 422
    return done(f"{kept} is blocked.", "admin.blocks.show")


@pages.post("/blocks/end")
def unblock() -> Response:
    """Unblock an address or a domain."""
    with acting() as visit:
        bans.unblock(admin_action(visit), request.form.get("pattern", ""))
    return done("The address is no longer blocked.", "admin.blocks.show")


def _page(pattern: str = "", why: str = "", problem: str = "") -> str:
    page = Page.asked()
    with looking() as visit:
        session, now = visit.session, visit.action.now
        barred = page.with_rows(bans.barred(session, now, page.limit, page.skip))
        found = page.with_rows(bans.blocked(session, page.limit, page.skip))
    return render_template(
        "admin/blocks.html", barred=barred, found=found, pattern=pattern, why=why, problem=problem
    )

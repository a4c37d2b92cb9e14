"""Players whose mail was stopped because it came back."""

from flask import abort, flash, redirect, render_template, url_for
from werkzeug.wrappers import Response

from server.admin import outgoing_mail
from server.store.db import locked
from server.store.models import Player
from server.web.admin.access import admin_action, section
from server.web.admin.paging import Page
from server.web.shared.visits import acting, looking

pages = section("bounces")


@pages.get("/bounces")
def show() -> str:
    """All of them, the earliest first."""
    page = Page.asked()
    with looking() as visit:
        found = page.with_rows(outgoing_mail.suspended(visit.session, page.limit, page.skip))
    return render_template("admin/bounces.html", found=found)


@pages.post("/bounces/<int:number>/resume")
def resume(number: int) -> Response:
    """Mail to one of them again."""
    with acting() as visit:
        player = locked(visit.session, Player, number)
        if player is None:
            abort(404)
        outgoing_mail.resume(admin_action(visit), player)
    flash(f"{player.name} gets mail again, and will be told how their games stand.")
    return redirect(url_for("admin.bounces.show"), 303)

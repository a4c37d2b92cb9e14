"""Players whose emails are stopped because of bounces."""

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
    """List these players, the earliest first."""
    page = Page.asked()
    with looking() as visit:
        found = page.with_rows(outgoing_mail.suspended(visit.session, page.limit, page.skip))
    return render_template("admin/bounces.html", found=found)


@pages.post("/bounces/<int:number>/resume")
def resume(number: int) -> Response:
    """Resume the emails to a player."""
    with acting() as visit:
        player = locked(visit.session, Player, number)
        if player is None:
            abort(404)
        outgoing_mail.resume(admin_action(visit), player)
    flash(f"{player.name} gets emails again, starting with the state of their games.")
    return redirect(url_for("admin.bounces.show"), 303)

"""The page on which players see where they are logged in, and log out there."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from server.accounts import logged_in
from server.web.visits import acting, looking, require_login

pages = Blueprint("logins", __name__)


@pages.get("/settings/logins")
def show() -> str:
    """The visitor's logins, the one that they use first."""
    own = require_login().login
    with looking() as visit:
        found = logged_in.of(visit.session, visit.player)
        rows = [
            {"number": each.number, "browser": each.browser, "since": each.since, "seen_at": each.seen_at}
            for each in sorted(found, key=lambda login: login.number != own)
        ]
    return render_template("logins.html", rows=rows, own=own, days=logged_in.LASTS.days)


@pages.post("/settings/logins")
def end() -> Response:
    """Log out one of the visitor's browsers, or all but the one that sends this."""
    which, who = request.form.get("login", ""), require_login()
    with acting() as visit:
        if which == "others":
            count = logged_in.end_all(visit.session, who.number, but=who.login)
            flash(f"Logged out elsewhere: {count}." if count else "You are logged in nowhere else.")
        else:
            ended = [each for each in logged_in.of(visit.session, visit.player) if str(each.number) == which]
            logged_in.end(visit.session, who.number, [each.number for each in ended])
            name = ended[0].browser if ended else "That browser"
            flash(f"{name} is logged out.")
    return redirect(url_for("logins.show"), 303)

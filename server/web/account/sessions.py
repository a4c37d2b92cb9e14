"""The page on which players see and end their sessions, and manage their passkeys."""

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response

from server.accounts.login import passkeys, sessions
from server.actions.access import LOG_OUT
from server.web.shared.browser_names import own_name
from server.web.shared.fresh_login import is_fresh
from server.web.shared.visits import acting, carried_out, done, looking, require_login, services

pages = Blueprint("logins", __name__)


@pages.get("/settings/logins")
def show() -> str:
    """List the visitor's logins, the present one first."""
    return logins_page()


def logins_page(name: str = "", problem: str = "") -> str:
    """Return the page; `name` and `problem` are the value and the error of its form for a passkey."""
    who = require_login()
    with looking() as visit:
        found = sessions.list_logins(visit.session, visit.player)
        rows = [
            {"number": each.number, "browser": each.browser, "since": each.since, "seen_at": each.seen_at}
            for each in sorted(found, key=lambda login: login.number != who.login)
        ]
        own_passkeys = [
            {"number": each.number, "name": each.name, "added_at": each.added_at, "used_at": each.used_at}
            for each in passkeys.list_passkeys(visit.session, visit.player)
        ]
        return render_template(
            "logins.html",
            rows=rows,
            own=who.login,
            days=sessions.LASTS.days,
            passkeys=own_passkeys,
            offered=passkeys.site_of(services().settings.base_url) is not None,
            fresh=is_fresh(visit),
            email=visit.player.email,
            name=name or own_name(),
            problem=problem,
        )


@pages.post("/settings/logins")
def end() -> Response:
    """Log out one of the visitor's browsers, or all except the present one."""
    which, who = request.form.get("login", ""), require_login()
    if which != "others":
        return done(carried_out(LOG_OUT, {"number": which}), "logins.show")
    with acting() as visit:
        count = sessions.end_all(visit.session, visit.player, but=who.login)
    sentence = f"Logged out in other browsers: {count}." if count else "No other browser is logged in."
    return done(sentence, "logins.show")

"""Passkeys: logging in with one, adding and removing one.

The browser's challenge is stored in its signed cookie, and can be answered once.
"""

from datetime import UTC, datetime

from flask import Blueprint, Response, abort, request, session
from werkzeug.wrappers import Response as Answer

from rules.sentences import quoted
from server.accounts import access
from server.accounts.login import passkeys
from server.accounts.login.passkeys import PasskeyChallenge, Site
from server.actions.access import REMOVE_PASSKEY
from server.errors import BadRequest
from server.web.account.sessions import logins_page
from server.web.home_page import home_page
from server.web.shared.browser_names import here
from server.web.shared.fresh_login import begin_login, check_fresh
from server.web.shared.visits import (
    PageResponse,
    acting,
    carried_out,
    done,
    log_in,
    looking,
    returned,
    services,
)

pages = Blueprint("passkeys", __name__)

_CHALLENGE = "challenge"
"""The key of the last challenge and its time in the cookie."""


@pages.post("/login/passkey/ask")
def ask_to_log_in() -> Response:
    """Return the options that the visitor's browser needs to log in with a passkey."""
    return _options(passkeys.options_to_log_in(_site(), _drawn()))


@pages.post("/login/passkey")
def use() -> PageResponse:
    """Log in with a passkey."""
    try:
        with acting() as visit:
            player = passkeys.admit(visit.action, _answer())
            number = begin_login(visit, player)
    except BadRequest as problem:
        return home_page(login_problem=str(problem)), 422
    if number is not None:
        log_in(player, number)
    return returned()


@pages.post("/settings/passkeys/ask")
def ask_to_add() -> Response:
    """Return the options that a browser needs to create a passkey; a sentence if none can be added."""
    try:
        with looking() as visit:
            check_fresh(visit, access.PASSKEY)
            return _options(passkeys.options_to_add(visit.session, visit.player, _site(), _drawn()))
    except BadRequest as problem:
        return Response(str(problem), 422, content_type="text/plain; charset=utf-8")


@pages.post("/settings/passkeys")
def add() -> PageResponse:
    """Add a passkey."""
    name = request.form.get("name", "")
    try:
        with acting() as visit:
            check_fresh(visit, access.PASSKEY)
            name = passkeys.add(visit.action, visit.player, _answer(), name, here()).name
    except BadRequest as problem:
        return logins_page(name, str(problem)), 422
    return done(f"You can now log in with the passkey {quoted(name)}.", "logins.show")


@pages.post("/settings/passkeys/remove")
def remove() -> Answer:
    """Remove one of the visitor's passkeys."""
    return done(carried_out(REMOVE_PASSKEY, {"number": request.form.get("passkey", "")}), "logins.show")


def _site() -> Site:
    """Return the site of these pages; 404 if browsers cannot use passkeys there."""
    return passkeys.site_of(services().settings.base_url) or abort(404)


def _drawn() -> PasskeyChallenge:
    """Draw a new challenge and store it in the cookie in place of an earlier one."""
    drawn = passkeys.draw(services().now())
    session[_CHALLENGE] = [drawn.text, drawn.drawn_at.timestamp()]
    return drawn


def _answer() -> passkeys.PasskeyResponse:
    """Return the browser's response to the challenge in its cookie, and remove the challenge."""
    text, drawn_at = session.pop(_CHALLENGE, ("", 0))
    challenge = PasskeyChallenge(text, datetime.fromtimestamp(drawn_at, UTC)) if text else None
    return passkeys.PasskeyResponse(request.form.get("credential", ""), challenge, _site())


def _options(text: str) -> Response:
    return Response(text, content_type="application/json")

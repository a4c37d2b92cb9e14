"""The beginning of a login, and checks that a login is fresh enough for an act."""

from flask import request

from server.accounts.access import Act
from server.accounts.login import sessions
from server.accounts.login.links import spend
from server.errors import BadRequest
from server.store.models import Player
from server.web.shared.visits import Visit, require_login, visitor


def begin_login(visit: Visit, player: Player) -> int | None:
    """Create a login for a player and return its number for `log_in`; the browser's previous login ends.

    Returns None if another login of the player was made in the meantime.
    """
    if not spend(visit.session, player):
        return None
    before = visitor()
    if before is not None:
        sessions.pass_on(visit.session, (before.number, before.login), player)
    return sessions.begin(visit.session, visit.action.now, player, own_name())


def is_fresh(visit: Visit) -> bool:
    """Return whether the visitor has logged in within the last minutes."""
    who = require_login()
    return sessions.is_fresh(visit.session, visit.action.now, who.number, who.login)


def check_fresh(visit: Visit, act: Act) -> None:
    """Raise BadRequest if an act requires a fresh login and the visitor's is too old."""
    if act.needs_fresh_login and not is_fresh(visit):
        raise BadRequest(f"Your login is too old. Log in again to {act.to_do}.")


def here() -> str:
    """Return the visitor's browser for the report of an account change: "in Firefox on Android"."""
    return f"in {own_name()}"


_BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Vivaldi": "Vivaldi",
    "SamsungBrowser": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
"""Browsers by a part of their user agent. Many user agents also name other browsers, which come later here."""
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Windows": "Windows",
    "Macintosh": "a Mac",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def own_name() -> str:
    """Return the name of the visitor's browser: "Firefox on Android"."""
    return name_of(request.user_agent.string)


def name_of(user_agent: str) -> str:
    """Return the name of a browser by its user agent: "Firefox on Android"."""
    browser = next((name for part, name in _BROWSERS.items() if part in user_agent), "A browser")
    system = next((name for part, name in _SYSTEMS.items() if part in user_agent), "")
    return f"{browser} on {system}" if system else browser

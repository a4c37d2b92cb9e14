"""How a login begins, by whichever way somebody has shown who they are, and what only a fresh one may do."""

from flask import request

from server.accounts.access import Act
from server.accounts.login import sessions
from server.accounts.login.links import spend
from server.errors import BadRequest
from server.store.models import Player
from server.web.shared.visits import Visit, require_login, visitor


def begin_login(visit: Visit, player: Player) -> int | None:
    """The number of a new login of a player, which `log_in` makes the browser's; what was there before ends.

    None when another login of theirs began in the meantime.
    """
    if not spend(visit.session, player):
        return None
    before = visitor()
    if before is not None:
        sessions.pass_on(visit.session, (before.number, before.login), player)
    return sessions.begin(visit.session, visit.action.now, player, own_name())


def is_fresh(visit: Visit) -> bool:
    """Return whether the visitor has just logged in, and not found an open session."""
    who = require_login()
    return sessions.is_fresh(visit.session, visit.action.now, who.number, who.login)


def check_fresh(visit: Visit, act: Act) -> None:
    """Raise BadRequest unless the visitor has just logged in, for an act that requires it."""
    if act.needs_fresh_login and not is_fresh(visit):
        raise BadRequest(f"You logged in here too long ago. Log in again to {act.to_do}.")


def here() -> str:
    """How the visitor does something, for the report of an account change: "in Firefox on Android"."""
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
"""By a part of what browsers call themselves; many name others as well, which come later."""
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
    """That of the visitor."""
    return name_of(request.user_agent.string)


def name_of(user_agent: str) -> str:
    """A browser in plain words, by what it calls itself: "Firefox on Android"."""
    browser = next((name for part, name in _BROWSERS.items() if part in user_agent), "A browser")
    system = next((name for part, name in _SYSTEMS.items() if part in user_agent), "")
    return f"{browser} on {system}" if system else browser

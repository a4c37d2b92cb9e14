"""The beginning of a login, and checks that a login is fresh enough for an act."""

from server.accounts.access import Act
from server.accounts.login import sessions
from server.accounts.login.links import spend
from server.errors import BadRequest
from server.store.models import Player
from server.web.shared.browser_names import own_name
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


def check_fresh(visit: Visit, act: Act | None) -> None:
    """Raise BadRequest if an act requires a fresh login and the visitor's is too old."""
    if act is not None and act.needs_fresh_login and not is_fresh(visit):
        raise BadRequest(f"Your login is too old. Log in again to {act.to_do}.")

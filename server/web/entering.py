"""How a login begins, by whichever way somebody has shown who they are, and what only a fresh one may do."""

from server.accounts import logged_in
from server.accounts.access import Act
from server.accounts.logins import spend
from server.errors import BadRequest
from server.store.models import Player
from server.web.browser_names import own_name
from server.web.visits import Visit, require_login, visitor


def begin_login(visit: Visit, player: Player) -> int | None:
    """The number of a new login of a player, which `log_in` makes the browser's; what was there before ends.

    None when another login of theirs began in the meantime.
    """
    if not spend(visit.session, player):
        return None
    before = visitor()
    if before is not None:
        logged_in.pass_on(visit.session, (before.number, before.login), player)
    return logged_in.begin(visit.session, visit.action.now, player, own_name())


def is_fresh(visit: Visit) -> bool:
    """Return whether the visitor has just logged in, and not found an open session."""
    who = require_login()
    return logged_in.is_fresh(visit.session, visit.action.now, who.number, who.login)


def check_fresh(visit: Visit, act: Act) -> None:
    """Raise BadRequest unless the visitor has just logged in, for an act that requires it."""
    if act.needs_fresh_login and not is_fresh(visit):
        raise BadRequest(f"You logged in here too long ago. Log in again to {act.to_do}.")


def here() -> str:
    """How the visitor does something, for the report of an account change: "in Firefox on Android"."""
    return f"in {own_name()}"

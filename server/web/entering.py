"""How a login begins, by whichever way somebody has shown who they are."""

from server.accounts import logged_in
from server.accounts.logins import spend
from server.store.models import Player
from server.web.browser_names import own_name
from server.web.visits import Visit, visitor


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

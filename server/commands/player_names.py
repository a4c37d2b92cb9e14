"""The names that players may have: those that `server/accounts/players.py` allows and that are not commands."""

from functools import lru_cache

from sqlmodel import Session

from server.accounts import names, players
from server.commands.vocabulary import PLAIN, REPLY
from server.store.models import Player

_COMMANDS = frozenset(names.folded(form) for word in (PLAIN | REPLY).spelled for form in (word, word.upper()))


def check(name: str, player: Player | None = None) -> str:
    """Return the name in its stored form. Raises BadRequest if it is not allowed.

    A `player` who already has such a name keeps it, in upper or lower case.
    """
    name = players.check_name(name)
    if player is None or names.folded(player.name) != names.folded(name):
        names.check(name)
        if _is_command(name):
            raise names.taken_alone(name, "it is a command")
    return name


def rename(session: Session, player: Player, name: str) -> None:
    """Give a player another name. Raises BadRequest if it is taken or not allowed."""
    players.rename(session, player, check(name, player))


# Asked for every email.
@lru_cache(maxsize=1000)
def sender(name: str) -> str:
    """Return the sender of an email: the player who caused it, if any, unless their name is reserved."""
    is_unusable = names.is_reserved(name) or _is_command(name)
    return f"{name} via Nabu" if name and not is_unusable else "Nabu"


def _is_command(name: str) -> bool:
    return names.folded(name) in _COMMANDS

"""Names of players that are spelled like a given one."""

from collections.abc import Iterable
from difflib import get_close_matches

from sqlmodel import Session, col, func, select

from rules.sentences import listed, quoted
from server.accounts import computer_players
from server.errors import BadRequest
from server.store.models import Player

_MOST = 3
_LIKE = 0.6  # of the letters: names are short
_MOST_COMPARED = 500
_SUGGESTED = (
    col(Player.confirmed_at).is_not(None),
    col(Player.computer).is_(False),
    col(Player.mail_stopped).is_(False),
)
"""The conditions for players whose names are suggested."""


def names_like(session: Session, name: str) -> list[str]:
    """Return at most three similar names of players who have signed up and get emails, the nearest first.

    If at most three of them have `name` as their first name, these are returned.
    """
    key = name.casefold()
    if called := _first_named(session, key):
        return called
    known = {each.casefold(): each for each in _known_names(session, key)}
    return [known[each] for each in get_close_matches(key, known, _MOST, _LIKE)]


def unknown_player(session: Session, name: str, also: str = "") -> BadRequest:
    """Return the error for a name that no player has; `also` are other ways to name someone.

    A form suggests similar names. Emails suggest whole commands instead, but not to strangers.
    """
    like = names_like(session, name)
    meant = f"Did you mean {listed(like, 'or')}?" if like else ""
    return BadRequest(
        lambda where: (
            f"There is no player called {quoted(name)}. "
            f"{(meant if where.labels else '') or f'Give the exact name{also}.'}"
        )
    )


def _first_named(session: Session, key: str) -> list[str]:
    """Return the names that begin with a first name; none if there are more than three."""
    begins = col(Player.name_key).startswith(f"{key} ", autoescape=True)
    query = select(Player.name).where(*_SUGGESTED, begins).order_by(col(Player.id)).limit(_MOST + 1)
    found = list(session.exec(query)) if key else []
    return found if len(found) <= _MOST else []


def _known_names(session: Session, key: str) -> Iterable[str]:
    """Return the names of similar length with the same first letter, and those of the computer players."""
    query = select(Player.name).where(
        *_SUGGESTED,
        col(Player.name_key).startswith(key[:1], autoescape=True),
        func.abs(func.length(Player.name_key) - len(key)) <= max(1, len(key) // 3),
    )
    named = [computer.name for computer in computer_players.list_computers(session)]
    return [*named, *session.exec(query.order_by(col(Player.id)).limit(_MOST_COMPARED))]

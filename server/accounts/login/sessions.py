"""Sessions on the web: each is a row, and ends when the row is deleted."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, delete, select, update

from server.accounts import push_subscriptions
from server.accounts.players import identity
from server.store.models import Login, Player
from server.store.statements.planned_session import RowStatement

LASTS = timedelta(days=60)
"""The time without a visit after which a session ends."""
MOST_LOGINS = 30
"""Maximum number of sessions of a player; one more ends the least recently used one."""
FRESH = timedelta(minutes=15)
"""The time after a login in which a player may add other ways to log in."""
_SEEN_EVERY = timedelta(hours=1)

_OF_COOKIE: RowStatement[Player, Login] = RowStatement(
    select(Player, Login).where(
        Player.id == Login.player_id,
        Login.player_id == bindparam("player"),
        Login.number == bindparam("number"),
    )
)
"""The player and the session that a cookie names; built once, because every page uses it."""


def begin(session: Session, now: datetime, player: Player, browser: str) -> int:
    """Start a session of a player in a browser, and return its number; the least used of too many ends."""
    number = player.login_serial
    for login in list_logins(session, player)[MOST_LOGINS - 1 :]:
        end(session, identity(player), [login.number])
    session.add(Login(player_id=identity(player), number=number, browser=browser, since=now, seen_at=now))
    return number


def recognised(session: Session, player: int, number: int) -> tuple[Player, Login] | None:
    """Return the player and the session that a cookie names; None if the session has ended."""
    return next(iter(_OF_COOKIE(session, {"player": player, "number": number})), None)


def is_fresh(session: Session, now: datetime, player: int, number: int) -> bool:
    """Return whether a session has just started. In an older one, someone may have found the browser open."""
    login = session.get(Login, (player, number))
    return login is not None and now - login.since <= FRESH


def is_due(login: Login, now: datetime) -> bool:
    """Return whether the use of a session has to be recorded again."""
    return now - login.seen_at >= _SEEN_EVERY


def note_use(session: Session, now: datetime, player: int, number: int) -> None:
    """Record that a session is used now."""
    query = update(Login).where(col(Login.player_id) == player, col(Login.number) == number)
    session.execute(query.values(seen_at=now))


def list_logins(session: Session, player: Player) -> list[Login]:
    """Return a player's sessions, the last used first."""
    query = select(Login).where(Login.player_id == player.id)
    return list(session.exec(query.order_by(col(Login.seen_at).desc(), col(Login.number).desc())))


def end(session: Session, player: int, numbers: Sequence[int]) -> None:
    """End these sessions and the notifications in their browsers."""
    for number in numbers:
        push_subscriptions.end(session, player, number)
    session.execute(delete(Login).where(col(Login.player_id) == player, col(Login.number).in_(numbers)))


def end_all(session: Session, player: Player, but: int | None = None) -> int:
    """End all sessions of a player except `but`, and the login links mailed so far; return their number."""
    query = select(Login.number).where(Login.player_id == player.id, Login.number != but)
    numbers = list(session.exec(query))
    end(session, identity(player), numbers)
    player.login_serial += 1
    return len(numbers)


def pass_on(session: Session, before: tuple[int, int], player: Player) -> None:
    """End the earlier session of a browser, with player and number `before`, when a player logs in there.

    Notifications continue if it was the same player.
    """
    push_subscriptions.pass_on(session, before, player)
    end(session, before[0], [before[1]])


def forget(session: Session, now: datetime) -> None:
    """Delete the sessions whose cookies have expired."""
    session.execute(delete(Login).where(col(Login.seen_at) < now - LASTS - _SEEN_EVERY))

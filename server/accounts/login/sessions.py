"""Where a player is logged in on the web: each browser is a row, and logged out once that is gone."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, select, update

from server.accounts import push_subscriptions
from server.accounts.players import identity
from server.store.models import Login, Player

LASTS = timedelta(days=60)
"""How long a browser stays logged in that visits no page."""
MOST_LOGINS = 30
"""Browsers in which a player is logged in: one more, and the one that is used least is logged out."""
FRESH = timedelta(minutes=15)
"""How long after a login one may add what logs one in."""
_SEEN_EVERY = timedelta(hours=1)


def begin(session: Session, now: datetime, player: Player, browser: str) -> int:
    """Log a player in with their latest login, which has been counted; its number."""
    number = player.login_serial
    for login in list_logins(session, player)[MOST_LOGINS - 1 :]:
        end(session, identity(player), [login.number])
    session.add(Login(player_id=identity(player), number=number, browser=browser, since=now, seen_at=now))
    return number


def recognised(session: Session, player: int, number: int) -> tuple[Player, Login] | None:
    """Whose login it is that a cookie names; None if it has ended."""
    query = select(Player, Login).where(Player.id == Login.player_id)
    return session.exec(query.where(Login.player_id == player, Login.number == number)).first()


def is_fresh(session: Session, now: datetime, player: int, number: int) -> bool:
    """Whether a login has begun just now: whoever found the browser open would have to log in anew."""
    login = session.get(Login, (player, number))
    return login is not None and now - login.since <= FRESH


def is_due(login: Login, now: datetime) -> bool:
    """Whether it is time to note that a login is used."""
    return now - login.seen_at >= _SEEN_EVERY


def note_use(session: Session, now: datetime, player: int, number: int) -> None:
    """Note that a login is used now."""
    query = update(Login).where(col(Login.player_id) == player, col(Login.number) == number)
    session.execute(query.values(seen_at=now))


def list_logins(session: Session, player: Player) -> list[Login]:
    """A player's logins, the one that was used last first."""
    query = select(Login).where(Login.player_id == player.id)
    return list(session.exec(query.order_by(col(Login.seen_at).desc(), col(Login.number).desc())))


def end(session: Session, player: int, numbers: Sequence[int]) -> None:
    """Log these logins out, and tell nothing any more in their browsers."""
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
    """Somebody logs in where another login, of player and number `before`, has not ended: now it does.

    If that was the same player, they go on to be told their turns there.
    """
    push_subscriptions.pass_on(session, before, player)
    end(session, before[0], [before[1]])


def forget(session: Session, now: datetime) -> None:
    """Forget the logins whose cookies the browsers have forgotten by now."""
    session.execute(delete(Login).where(col(Login.seen_at) < now - LASTS - _SEEN_EVERY))

"""Who visits, and the transaction that a page works in."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from flask import current_app, g, session
from sqlalchemy.exc import OperationalError
from sqlmodel import Session
from werkzeug.wrappers import Response

from server.accounts import players
from server.accounts.login import sessions
from server.actions.action import Door
from server.game.views import lists
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from server.store.outbox import ActionContext

PageResponse = str | Response | tuple[str, int]
"""A page, a redirect, or a page with a status."""


class LoginNeeded(Exception):
    """The page is for players who are logged in."""


@dataclass(frozen=True)
class Visitor:
    """A player who is logged in."""

    number: int
    name: str
    zone: ZoneInfo
    waiting: int
    """How many games wait for their move."""
    login: int
    """Which of their logins it is; 0 for a program, which has none."""


@dataclass(frozen=True)
class Visit:
    """One request at its work: a transaction, and what actions in it are handed."""

    session: Session
    action: ActionContext

    @property
    def player(self) -> Player:
        """The player who visits; raises LoginNeeded when nobody is logged in."""
        return self.session.get_one(Player, require_login().number)


def services() -> Services:
    """What the pages of this process work with."""
    found: Services = current_app.extensions["services"]
    return found


def about_actor(visit: Visit) -> dict[str, Any]:
    """Return what every action knows of the visitor: the fields of `Actor`. Raises LoginNeeded."""
    door = Door.API if visit.action.program else Door.WEB
    address = services().settings.plain_address
    return {"context": visit.action, "player": visit.player, "door": door, "plain_address": address}


@contextmanager
def looking() -> Iterator[Visit]:
    """A visit that changes nothing."""
    visitor()
    with reading(services().engine) as transaction:
        yield _visit(transaction)


@contextmanager
def acting() -> Iterator[Visit]:
    """A visit that is one change: all of it is stored at the end of the block, or nothing."""
    visitor()
    with writing(services().engine) as transaction:
        yield _visit(transaction)


def visitor() -> Visitor | None:
    """The player who is logged in, looked up once a request: before a transaction of its own begins."""
    if "visitor" not in g:
        g.visitor = _recognised()
    found: Visitor | None = g.visitor
    return found


def take_for_visitor(who: Visitor) -> None:
    """Have this request be that of a player who has shown who they are without a cookie."""
    g.visitor = who


def require_login() -> Visitor:
    """The player who is logged in; raises LoginNeeded when nobody is."""
    found = visitor()
    if found is None:
        raise LoginNeeded
    return found


def log_in(player: Player, login: int) -> None:
    """Make the browser `player`'s from now on, with a login of theirs that has been stored."""
    session.clear()
    session.permanent = True
    session["player"] = players.identity(player)
    session["login"] = login
    g.pop("visitor", None)


def log_out() -> None:
    """Forget who used this browser."""
    session.clear()
    g.pop("visitor", None)


def _visit(transaction: Session) -> Visit:
    who = visitor()
    number, program = (None, False) if who is None else (who.number, who.login == 0)
    sealer, now, teaches = services().sealer, services().now(), services().settings.first_game
    action = ActionContext(transaction, sealer, now, visitor=number, program=program, teaches=teaches)
    return Visit(transaction, action)


def _recognised() -> Visitor | None:
    if "player" not in session:
        return None
    with reading(services().engine) as transaction:
        found = sessions.recognised(transaction, session["player"], session["login"])
        if found is None:
            return None
        player, login = found
        waiting = lists.count_turns(transaction, login.player_id)
        who = Visitor(login.player_id, player.name, players.zone(player), waiting, login.number)
    if sessions.is_due(login, services().now()):
        # Pages can be read even while nothing can be written.
        with suppress(OperationalError), writing(services().engine) as transaction:
            sessions.note_use(transaction, services().now(), who.number, who.login)
    return who

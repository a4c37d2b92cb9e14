"""The visitor, and the transaction that a page works in."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from flask import current_app, flash, g, redirect, request, session, url_for
from sqlalchemy.exc import OperationalError
from sqlmodel import Session
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response

from server.accounts import players
from server.accounts.login import sessions
from server.actions.action import Action, Actor, Door
from server.errors import BadRequest
from server.game.preferences.choices import PAGE_CHOICES
from server.game.views import waiting
from server.limits import LONGEST_LINE
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Player
from server.store.outbox import ActionContext
from server.web.shared.browser_names import here
from server.web.shared.labels import AT_FORM

PageResponse = str | Response | tuple[str, int]
"""A page, a redirect, or a page with a status."""


_WAYS_IN = frozenset(
    {
        *("public.home", "passkeys.use", "account.send_login", "account.send_registration"),
        *("account.sent", "account.enter", "account.use_link"),
    }
)
"""The home page and the pages between it and the login: none of them is a page to return to."""
_RETURN = "return"
"""The name, in forms, URLs and the cookie, of the page to which the visitor returns after logging in."""


class LoginNeeded(Exception):
    """The page requires a login."""


@dataclass(frozen=True)
class Visitor:
    """A player who is logged in."""

    number: int
    name: str
    zone: ZoneInfo
    login: int
    """The number of the login; 0 for a program, which has none."""
    choices: Mapping[str, str] = field(default_factory=dict)
    """The values of `PAGE_CHOICES` by name."""


@dataclass(frozen=True)
class Visit:
    """The transaction of a request, and the context for the actions in it."""

    session: Session
    action: ActionContext

    @property
    def player(self) -> Player:
        """The visiting player. Raises LoginNeeded without a login."""
        return self.session.get_one(Player, require_login().number)


def services() -> Services:
    """Return the services of this process."""
    found: Services = current_app.extensions["services"]
    return found


def about_actor(visit: Visit) -> dict[str, Any]:
    """Return the fields of `Actor` for the visitor. Raises LoginNeeded."""
    door = Door.API if visit.action.program else Door.WEB
    address = services().settings.plain_address
    return {
        "context": visit.action,
        "player": visit.player,
        "door": door,
        "plain_address": address,
        "origin": here(),
    }


def actor(visit: Visit) -> Actor:
    """Return the visitor as an actor outside games. Raises LoginNeeded."""
    return Actor(**about_actor(visit))


def carried_out(action: Action[Actor, Any], values: Mapping[str, object]) -> str:
    """Carry out an action of the visitor outside games; return its sentence, or the refusal."""
    try:
        with acting() as visit:
            return action.carry_out(actor(visit), values).sentence
    except BadRequest as problem:
        return problem.worded(AT_FORM)


def done(sentence: str, endpoint: str, **values: Any) -> Response:
    """Return a redirect to a page that shows a sentence, "" for none."""
    if sentence:
        flash(sentence)
    return redirect(url_for(endpoint, **values), 303)


@contextmanager
def looking() -> Iterator[Visit]:
    """Provide the visit for a request that only reads; the visitor is looked up in the same transaction."""
    with reading(services().engine) as transaction:
        _find_visitor(transaction)
        yield _visit(transaction)


@contextmanager
def acting() -> Iterator[Visit]:
    """Provide the visit for a request that changes something: all changes are stored at the end, or none."""
    visitor()
    with writing(services().engine) as transaction:
        yield _visit(transaction)


def visitor() -> Visitor | None:
    """Return the visitor if they are logged in; looked up once per request."""
    if "visitor" not in g:
        with reading(services().engine) as transaction:
            _find_visitor(transaction)
    found: Visitor | None = g.visitor
    return found


def count_waiting() -> int:
    """Return the number of games that wait for the visitor, who is logged in."""
    with looking() as visit:
        return waiting.count(visit.session, require_login().number).games


def take_for_visitor(who: Visitor) -> None:
    """Set the visitor of this request, for a player who has identified themselves without a cookie."""
    g.visitor = who


def require_login() -> Visitor:
    """Return the visitor. Raises LoginNeeded without a login."""
    found = visitor()
    if found is None:
        raise LoginNeeded
    return found


def page_to_return_to() -> str:
    """Return the URL to which the visitor returns after logging in; "" for their games.

    It is this page, or that from which they came here to log in; after a form, the page at its URL or above it.
    """
    if request.endpoint in _WAYS_IN:
        return request.values.get(_RETURN) or str(session.get(_RETURN, ""))
    if request.method not in ("GET", "HEAD"):
        return _own_page(request.path) or request.path.rpartition("/")[0]
    whole = request.full_path.rstrip("?")
    return whole if len(whole) <= LONGEST_LINE else request.path


def way_in(anchor: str) -> str:
    """Return the URL of the form to log in or sign up, with the page to which the visitor returns."""
    page = page_to_return_to()
    asked = f"?{_RETURN}={quote(page, safe='/')}" if page not in ("", url_for("games.mine")) else ""
    return f"{url_for('public.home')}{asked}{anchor and '#' + anchor}"


def remember_page() -> None:
    """Store the page to which the visitor returns in their cookie until they follow the emailed link."""
    session[_RETURN] = request.form.get(_RETURN, "")


def returned() -> Response:
    """Return a redirect to the page to which the visitor returns: only ever a page of this site."""
    return redirect(_own_page(page_to_return_to()) or url_for("games.mine"), 303)


def _own_page(text: str) -> str:
    """Return the URL of a page of this site, built from its route; "" for any other text."""
    try:
        parts = urlsplit(text)
        endpoint, values = current_app.create_url_adapter(request).match(parts.path, "GET")  # type: ignore[union-attr]
    except (HTTPException, RequestRedirect, ValueError):
        return ""
    if parts.scheme or parts.netloc or endpoint in _WAYS_IN:
        return ""
    return url_for(endpoint, **values) + (f"?{parts.query}" if parts.query else "")


def log_in(player: Player, login: int) -> None:
    """Log the browser in as `player`, with a login that has been stored."""
    session.clear()
    session.permanent = True
    session["player"] = players.identity(player)
    session["login"] = login
    g.pop("visitor", None)


def log_out() -> None:
    """Log the browser out."""
    session.clear()
    g.pop("visitor", None)


def _visit(transaction: Session) -> Visit:
    who = visitor()
    number, program = (None, False) if who is None else (who.number, who.login == 0)
    sealer, now, teaches = services().sealer, services().now(), services().settings.first_game
    action = ActionContext(transaction, sealer, now, visitor=number, program=program, teaches=teaches)
    return Visit(transaction, action)


def _find_visitor(transaction: Session) -> None:
    """Set the visitor of this request, unless they are known."""
    if "visitor" not in g:
        g.visitor = _recognised(transaction) if "player" in session else None


def _recognised(transaction: Session) -> Visitor | None:
    found = sessions.recognised(transaction, session["player"], session["login"])
    if found is None:
        return None
    player, login = found
    transaction.info["visitor"] = player  # a session forgets rows that nothing refers to
    choices = {choice.name: choice.chosen_by(player) for choice in PAGE_CHOICES}
    who = Visitor(login.player_id, player.name, players.zone(player), login.number, choices)
    if sessions.is_due(login, services().now()):
        # Pages work even while the database is read-only.
        with suppress(OperationalError), writing(services().engine) as noting:
            sessions.note_use(noting, services().now(), who.number, who.login)
    return who

"""Authentication by token. Cookies are ignored."""

from contextlib import suppress

from flask import g, request
from sqlalchemy.exc import OperationalError
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import BadRequest, Unauthorized

from rules.records.documents import is_shallow
from server.accounts import players
from server.accounts.login import api_tokens
from server.store.db import reading, writing
from server.web.api.blueprint import pages
from server.web.api.rate_limit import check_rate
from server.web.shared.visits import Visitor, require_login, services, take_for_visitor

_NO_LOGIN = 0
"""The login number of programs, which no login has."""
_OPEN = "api.openapi"
"""The endpoint that needs no token."""


@pages.before_request
def come_in() -> None:
    """Set the owner of the token as the visitor; refuse requests without a valid token or too many of them."""
    if request.endpoint == _OPEN:
        return
    now, secret = services().now(), _bearer()
    if secret:
        check_rate(secret)
    with reading(services().engine) as session:
        found = api_tokens.recognised(session, now, secret) if secret else None
        if found is None:
            raise Unauthorized(www_authenticate=WWWAuthenticate("bearer", {"realm": "Nabu"}))
        player, token = found
        take_for_visitor(Visitor(token.player_id, player.name, players.zone(player), _NO_LOGIN))
        g.token = token.number
        due = api_tokens.is_due(token, now)
    _check_depth()
    if due:
        # Requests that only read work even while the database is read-only.
        with suppress(OperationalError), writing(services().engine) as session:
            api_tokens.note_use(session, now, *caller())


def caller() -> tuple[int, int]:
    """Return the numbers of the player and of the token."""
    return require_login().number, g.token


def _bearer() -> str:
    """Return the token of the request; "" without one."""
    sort, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if sort.lower() == "bearer" else ""


def _check_depth() -> None:
    """Raise BadRequest for JSON that is nested too deeply to be read."""
    try:
        readable = is_shallow(request.get_json(silent=True))
    except RecursionError:
        readable = False
    if not readable:
        raise BadRequest("The JSON of this request is nested too deeply.")

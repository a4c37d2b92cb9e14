"""Authentication by token, and the rate limit of each token. Cookies are ignored."""

from contextlib import suppress
from math import ceil

from flask import current_app, g, request
from sqlalchemy.exc import OperationalError
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import BadRequest, TooManyRequests, Unauthorized

from mail.incoming.rates import RateLimit
from rules.records.documents import is_shallow
from server.accounts import players
from server.accounts.login import api_tokens
from server.store.db import reading, writing
from server.web.api.blueprint import pages
from server.web.shared.visits import Visitor, require_login, services, take_for_visitor

EXTENSION = "api_rate"
"""The key of the limits in the app's extensions."""
_NO_LOGIN = 0
"""The login number of programs, which no login has."""
_OPEN = "api.openapi"
"""The endpoint that needs no token."""


def check_rate(secret: str) -> None:
    """Raise TooManyRequests for a token above its rate limit, before it is looked up in the database."""
    limit: RateLimit = current_app.extensions[EXTENSION]
    seconds = ceil(limit.wait(services().now().timestamp(), api_tokens.fingerprint(secret)))
    if seconds:
        most = services().settings.api_rate
        raise TooManyRequests(
            f"A token can send {most} requests per minute. Try again in {seconds} s.", retry_after=seconds
        )


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

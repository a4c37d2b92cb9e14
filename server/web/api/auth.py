"""The player who asks: the owner of the token that comes with a request. Cookies mean nothing here."""

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
"""The login of a visitor who is a program: none has this number."""
_OPEN = "api.openapi"
"""The endpoint that needs no token."""


@pages.before_request
def come_in() -> None:
    """Take the player whose token it is for the visitor; refuse whoever has none, or asks too fast."""
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
        take_for_visitor(Visitor(token.player_id, player.name, players.zone(player), 0, _NO_LOGIN))
        g.token = token.number
        due = api_tokens.is_due(token, now)
    _check_depth()
    if due:
        # Games can be read even while nothing can be written.
        with suppress(OperationalError), writing(services().engine) as session:
            api_tokens.note_use(session, now, *caller())


def caller() -> tuple[int, int]:
    """The number of the player, and that of the token."""
    return require_login().number, g.token


def _bearer() -> str:
    """The token that the request brings; "" for none."""
    sort, _, secret = request.headers.get("Authorization", "").partition(" ")
    return secret.strip() if sort.lower() == "bearer" else ""


def _check_depth() -> None:
    """Refuse what is nested so deeply that reading it would fail."""
    try:
        readable = is_shallow(request.get_json(silent=True))
    except RecursionError:
        readable = False
    if not readable:
        raise BadRequest("What you sent is nested too deeply.")

"""The JSON API for programs (bots) under `/api/v1` (see `docs/api.md`).

Each module has the URLs for one kind of object, with pydantic models for requests and responses. The OpenAPI
document is made from them. The API uses the same functions as the pages.
"""

from importlib.metadata import version
from typing import Any

from flask import current_app, jsonify
from flask.wrappers import Response
from flask_openapi3 import Info, OpenAPI

from mail.incoming.rates import RateLimit
from server.settings import Settings
from server.web.api import actions, auth, computer, events, game, games, me, messages, moves, tournaments
from server.web.api.blueprint import pages
from server.web.api.errors import Problem, of_misfit
from server.web.shared.streams import Streams

_ABOUT = (
    "The API for programs (bots) that play for a player. Send a token of the player with each request; create "
    "it under “API tokens” in the settings, or by email (`token add NAME`). `docs/api.md` in the source also "
    "explains retries and events, and contains an example of a bot."
)

# Each of these modules adds its URLs to the blueprint.
__all__ = [
    "actions",
    "computer",
    "events",
    "game",
    "games",
    "make_app",
    "me",
    "messages",
    "moves",
    "pages",
    "prepare",
    "tournaments",
]


def make_app(name: str, **options: Any) -> OpenAPI:
    """Return an application with the description of its API."""
    return OpenAPI(
        name,
        info=Info(title="Nabu", version=version("nabu"), description=_ABOUT),
        security_schemes={"token": {"type": "http", "scheme": "bearer"}},
        validation_error_model=Problem,
        validation_error_callback=of_misfit,
        doc_ui=False,
        **options,
    )


def prepare(app: OpenAPI, settings: Settings) -> None:
    """Add the API to an application."""
    app.extensions[auth.EXTENSION] = RateLimit(settings.api_rate, settings.api_rate / 60)
    app.extensions[events.EXTENSION] = Streams()
    app.register_api(pages)


@pages.get("/openapi.json", doc_ui=False)
def openapi() -> Response:
    """Return the OpenAPI document; no token is required."""
    app: Any = current_app
    return jsonify(app.api_doc)

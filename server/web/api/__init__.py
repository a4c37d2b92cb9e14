"""The API: what a program needs to play a seat, as JSON under `/api/v1` (see `docs/api.md`).

Each module here has the addresses of one noun, with what is sent and answered there as pydantic models; the
OpenAPI document is made from them. Everything is done by the same functions as on the pages.
"""

from importlib.metadata import version
from typing import Any

from flask import current_app, jsonify
from flask.wrappers import Response
from flask_openapi3 import Info, OpenAPI

from mail.incoming.rates import RateLimit
from server.settings import Settings
from server.web.api import (
    actions,
    computer,
    events,
    game,
    games,
    lobby,
    me,
    messages,
    moves,
    rate_limit,
    streams,
    tournaments,
)
from server.web.api.blueprint import pages
from server.web.api.errors import Problem, of_misfit

_ABOUT = (
    "What a program needs to play a seat. It comes with a token of its player's, made under “Your programs” in "
    "the settings, or by mail (`token add NAME`). `docs/api.md` in the source tells what this document cannot: "
    "sending something again, events, and a robot."
)

# Each of these adds its addresses to the blueprint.
__all__ = [
    "actions",
    "computer",
    "events",
    "game",
    "games",
    "lobby",
    "make_app",
    "me",
    "messages",
    "moves",
    "pages",
    "prepare",
    "tournaments",
]


def make_app(name: str, **options: Any) -> OpenAPI:
    """An application that knows what its API is."""
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
    app.extensions[rate_limit.EXTENSION] = RateLimit(settings.api_rate, settings.api_rate / 60)
    app.extensions[streams.EXTENSION] = streams.Streams()
    app.register_api(pages)


@pages.get("/openapi.json", doc_ui=False)
def openapi() -> Response:
    """The OpenAPI document, for anybody."""
    app: Any = current_app
    return jsonify(app.api_doc)

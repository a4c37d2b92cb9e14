"""Error pages: in the layout of all pages, and without internal details."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Semaphore

from flask import Flask, flash, redirect, render_template, request
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from werkzeug.exceptions import (
    Conflict,
    Forbidden,
    HTTPException,
    InternalServerError,
    SecurityError,
    ServiceUnavailable,
    default_exceptions,
)
from werkzeug.wrappers import Response

from rules.errors import RuleError
from server.errors import Damaged, NotYours, Refused
from server.store.db import writing
from server.store.failures import PLAYING, diagnosis, note
from server.store.models import Game
from server.web.api import errors
from server.web.forms import TooLong
from server.web.shared.visits import LoginNeeded, services, way_in

logger = logging.getLogger(__name__)

_SENTENCES = {
    400: ("Bad request", "Go back, reload the page and try again."),
    403: ("You cannot do this", "It belongs to another player."),
    404: ("Page not found", "The address is wrong, or the page no longer exists."),
    405: ("This page does not accept such requests", "Go back and use the buttons on the page."),
    409: ("Someone else was faster", "Reload the page: it may have changed."),
    413: ("Your text is too long", "Shorten it and send it again."),
    429: ("Too many requests", "Wait a few minutes, then try again."),
    500: ("Something went wrong on the server", "Nothing was changed. Try again in a few minutes."),
    503: ("The server is busy", "Nothing was changed. Try again in a few minutes."),
}


_PATIENCE = 10
"""Seconds after which a client should try again."""


class Busy(ServiceUnavailable):
    """The server is too busy with one kind of task; `description` is a sentence for the visitor."""

    def __init__(self, description: str) -> None:
        super().__init__(description, retry_after=_PATIENCE)


@contextmanager
def slot_or_busy(slots: Semaphore, description: str, wait: float = 0) -> Iterator[None]:
    """Occupy a slot, for which the request waits at most `wait` seconds. Raises Busy with the description."""
    if not slots.acquire(timeout=wait):
        raise Busy(description)
    try:
        yield
    finally:
        slots.release()


def answer_errors(app: Flask) -> None:
    """Register an error page for every kind of error."""
    app.register_error_handler(HTTPException, _known)
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(RuleError, _refused)
    app.register_error_handler(TooLong, _described)
    app.register_error_handler(Busy, _described)
    app.register_error_handler(Damaged, _damaged)
    app.register_error_handler(LoginNeeded, _login_needed)
    app.register_error_handler(IntegrityError, lambda error: _page(Conflict()))
    app.register_error_handler(OperationalError, _database_away)
    app.register_error_handler(InterfaceError, _database_away)
    app.register_error_handler(Exception, _unknown)


def _known(error: HTTPException) -> Response:
    if errors.is_for_program():
        return errors.of_http(error)
    if isinstance(error, SecurityError):
        # The request is for another host name, so the pages have no URL there.
        return Response(
            "Nabu does not answer at this address.\n", 400, content_type="text/plain; charset=utf-8"
        )
    return _page(error)


def _refused(refusal: Refused | RuleError) -> Response:
    if errors.is_for_program():
        return errors.of_refusal(refusal)
    status = Forbidden() if isinstance(refusal, NotYours) else Conflict()
    return _page(status, ("That did not work", str(refusal)))


def _described(refusal: TooLong | Busy) -> Response:
    return _page(refusal, (_SENTENCES[refusal.code or 500][0], str(refusal.description)))


def _damaged(problem: Damaged) -> Response:
    with writing(services().engine) as session:
        note(session, services().now(), PLAYING, Game, problem.game, problem)
    return _page(Conflict(), ("That did not work", str(problem)))


def _login_needed(_: LoginNeeded) -> Response:
    flash("Please log in first.")
    return redirect(way_in(""), 303)


def _database_away(error: Exception) -> Response:
    response = _failed(error, 503)
    response.headers["Retry-After"] = str(_PATIENCE)
    return response


def _unknown(error: Exception) -> Response:
    return _failed(error, 500)


def _failed(error: Exception, status: int) -> Response:
    # Log neither the error's message nor the page's URL: both can contain secrets.
    logger.error("%s: %s", request.endpoint, diagnosis(error))
    if errors.is_for_program():
        return errors.of_http(default_exceptions[status]())
    title, sentence = _SENTENCES[status]
    without = {"visitor": lambda: None, "announcements": tuple, "way_in": lambda anchor: f"/#{anchor}"}
    page = render_template("error.html", title=title, sentence=sentence, **without)
    return Response(page, status, content_type="text/html; charset=utf-8")


def _page(error: HTTPException, words: tuple[str, str] | None = None) -> Response:
    """Return the page for an HTTP error, with its status and headers. Redirects are not changed."""
    if errors.is_for_program():
        return errors.of_http(error, words[1] if words else "")
    response = error.get_response()
    code = error.code or InternalServerError.code
    if code < 400:
        return response
    title, sentence = words or _SENTENCES.get(code, (error.name, "Go back and try again."))
    response.set_data(render_template("error.html", title=title, sentence=sentence))
    response.content_type = "text/html; charset=utf-8"
    return response

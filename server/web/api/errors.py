"""Errors of the API in the format of RFC 9457, with a sentence in `detail`."""

import json
from typing import Any

from flask import Response, request
from pydantic import BaseModel, Field, ValidationError
from werkzeug.exceptions import (
    Conflict,
    Forbidden,
    HTTPException,
    UnprocessableEntity,
    default_exceptions,
)

from rules.errors import Ambiguous, IllegalMove, RuleError, Unreadable
from server.errors import GameOver, NotRunning, NotYours, NotYourTurn, Refused, StaleReply

_ROOT = "/api/"
_TYPE = "application/problem+json"
_SENTENCES = {
    400: "This request cannot be read.",
    401: "Send a token with each request: “Authorization: Bearer TOKEN”. Create one under “API tokens” in the "
    "settings, or email “token add NAME”.",
    404: "Not found: the URL is wrong, the object no longer exists, or this player may not see it.",
    405: "This URL does not accept this method; the header “Allow” lists the ones it accepts.",
    409: "Someone else was faster. Read the game again: it may have changed.",
    413: "The request is too large. Send less.",
    500: "Something went wrong on the server. Nothing was changed; try again in a few minutes.",
    503: "The server is busy. Nothing was changed; try again in a few minutes.",
}


class KeyReused(UnprocessableEntity):
    """An Idempotency-Key that belongs to an earlier, different request."""

    description = "This Idempotency-Key belongs to another request. Use a new key for each request."


_NAMES: dict[type[Exception], str] = {
    Ambiguous: "ambiguous-move",
    IllegalMove: "illegal-move",
    Unreadable: "unreadable-move",
    NotYours: "not-yours",
    NotYourTurn: "not-your-turn",
    StaleReply: "stale-turn",
    GameOver: "game-over",
    NotRunning: "not-running",
    KeyReused: "key-reused",
}
"""The last part of `type` for each kind of error, for programs that distinguish them."""


class Problem(BaseModel):
    """An error in the format of RFC 9457. Nothing was changed."""

    type: str = Field(
        description="`about:blank` if the status is enough; else `urn:nabu:problem:` and one of "
        + ", ".join(f"`{name}`" for name in _NAMES.values())
        + ", `refused`."
    )
    title: str = Field(description="The name of the status.")
    status: int
    detail: str = Field(description="A sentence that explains the error and how to avoid it.")
    turn: int | None = Field(default=None, description="With `stale-turn`: the current turn.")
    choices: list[str] | None = Field(
        default=None, description="With `ambiguous-move`: the moves that the text may mean."
    )


def is_for_program() -> bool:
    """Return whether the request is for a URL below /api/."""
    return request.path.startswith(_ROOT)


def document_errors(*statuses: int) -> dict[int | str, Any]:
    """Return the error responses with these statuses for the OpenAPI document."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {str(status): {"content": {_TYPE: {"schema": schema}}} for status in statuses}


def of_http(error: HTTPException, detail: str = "") -> Response:
    """Return the response to an HTTP error, with its status and headers. Redirects are not changed.

    Its sentence is `detail`, or the description of the error, or the sentence for its status.
    """
    code = error.code or 500
    if code < 400:
        return Response(status=code, headers=error.get_headers())
    own = (
        ""
        if error.description == default_exceptions.get(code, HTTPException).description
        else error.description
    )
    sentence = detail or own or _SENTENCES.get(code, f"{error.name}.")
    answer = _problem(_type(error), error, sentence)
    answer.headers.extend((name, value) for name, value in error.get_headers() if name != "Content-Type")
    return answer


def of_refusal(refusal: Refused | RuleError) -> Response:
    """Return the response to a refusal by the game or the rules, with their sentence."""
    error: HTTPException = Conflict()
    if isinstance(refusal, RuleError):
        error = UnprocessableEntity()
    elif isinstance(refusal, NotYours):
        error = Forbidden()
    more: dict[str, Any] = {}
    if isinstance(refusal, StaleReply):
        more["turn"] = refusal.now
    if isinstance(refusal, Ambiguous):
        more["choices"] = list(refusal.choices)
    return _problem(_type(refusal), error, str(refusal), **more)


def of_misfit(misfit: ValidationError) -> Response:
    """Return the response to a request that does not match the OpenAPI document."""
    first = misfit.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"]))
    said = first["msg"].rstrip(".")
    detail = f"“{where}” is not valid: {said}." if where else f"The request is not valid: {said}."
    return of_http(UnprocessableEntity(), detail)


def _type(error: Exception) -> str:
    """Return the `type` of an error."""
    name = next((_NAMES[sort] for sort in type(error).__mro__ if sort in _NAMES), "")
    if isinstance(error, HTTPException) and not name:
        return "about:blank"
    return f"urn:nabu:problem:{name or 'refused'}"


def _problem(sort: str, error: HTTPException, detail: str, **more: Any) -> Response:
    said = {"type": sort, "title": error.name, "status": error.code, "detail": detail, **more}
    return Response(json.dumps(said, ensure_ascii=False), error.code, content_type=_TYPE)

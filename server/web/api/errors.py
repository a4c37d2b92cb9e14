"""Errors of the API, as RFC 9457 has them, with a sentence in `detail`."""

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
    401: "Send a token of yours with each request: “Authorization: Bearer TOKEN”. You make one in your "
    "settings, or by mailing “token add NAME”.",
    404: "There is nothing here that you may see: the address is wrong, or what was here has gone.",
    405: "This address does not take such requests; the header “Allow” names those that it takes.",
    409: "Someone else was faster. Look again: it may have changed.",
    413: "This is too much at once. Send less of it.",
    500: "Something went wrong on our side. Nothing was changed; try again in a little while.",
    503: "The server is busy. Nothing was changed; try again in a little while.",
}


class KeyReused(UnprocessableEntity):
    """A key by which a program has called another request of its before."""

    description = "This Idempotency-Key belongs to another request of yours. Draw a new one for each request."


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
"""By what is wrong, the end of `type`, for programs that tell problems apart."""


class Problem(BaseModel):
    """An error, as RFC 9457 has it. Nothing was done."""

    type: str = Field(
        description="`about:blank` where the status says it all, else `urn:nabu:problem:` and one of "
        + ", ".join(f"`{name}`" for name in _NAMES.values())
        + ", `refused`."
    )
    title: str = Field(description="What the status means.")
    status: int
    detail: str = Field(description="A sentence: what is wrong, and what would be right.")
    turn: int | None = Field(default=None, description="With `stale-turn`: the turn that is to be played.")
    choices: list[str] | None = Field(
        default=None, description="With `ambiguous-move`: what may be meant, each a move."
    )


def is_for_program() -> bool:
    """Return True if the request is for an address below /api/."""
    return request.path.startswith(_ROOT)


def document_errors(*statuses: int) -> dict[int | str, Any]:
    """These statuses as an operation of the OpenAPI document names them."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {str(status): {"content": {_TYPE: {"schema": schema}}} for status in statuses}


def of_http(error: HTTPException, detail: str = "") -> Response:
    """An HTTP error, with its status and headers; redirections pass as they are.

    It is told in `detail`, or in what was said when it was raised, or in a sentence about its status.
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
    """Return the answer to what the game or the rules refuse, in their own words."""
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
    """Return the answer to a body that does not have the form that the document asks for."""
    first = misfit.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"]))
    said = first["msg"].rstrip(".")
    detail = f"“{where}” is not as it should be: {said}." if where else f"What you sent does not fit: {said}."
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

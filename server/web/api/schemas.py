"""Common parts of the models for requests and responses."""

from typing import Annotated, Any

from flask import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from mail.decoding import visible
from server.actions.action import Arguments
from server.limits import LONGEST_LINE

Text = Annotated[str, Field(max_length=LONGEST_LINE, pattern=r"^[^\x00]*$")]
"""A line of any characters except NUL."""
Turn = Annotated[int, Field(ge=0, le=10**9, description="The turn that the request is for: the game's `turn`.")]
Page = Annotated[int, Field(ge=1, le=10**6, description="The number of the page, from 1.")]
Json = dict[str, Any]


class RequestBody(Arguments):
    """The body of a request; unknown fields and other types are refused."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, sent: object) -> object:
        return _tidied(sent)


class Query(BaseModel):
    """The query parameters of a URL."""

    model_config = ConfigDict(extra="forbid")


class ResponseBody(BaseModel):
    """The body of a response, with fields of a view."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class GamePath(BaseModel):
    """The path of a game."""

    number: int = Field(ge=0, lt=10**15, description="The number of the game.")


class TournamentPath(BaseModel):
    """The path of a tournament."""

    number: int = Field(ge=0, lt=10**15, description="The number of the tournament.")


def _tidied(sent: object) -> object:
    """Return a JSON value with 1 instead of 1.0 and without invisible characters in texts."""
    match sent:
        case str():
            # A text of only invisible characters must not become empty where the schema requires a character.
            return visible(sent) or ("\N{REPLACEMENT CHARACTER}" if sent else "")
        case float() if sent.is_integer():
            return int(sent)
        case dict():
            return {name: _tidied(value) for name, value in sent.items()}
        case list():
            return [_tidied(each) for each in sent]
    return sent


def answered(answer: BaseModel) -> Response:
    """Return a response with this body."""
    return Response(answer.model_dump_json(), content_type="application/json")

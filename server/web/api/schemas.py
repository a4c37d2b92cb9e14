"""Parts that the bodies of all requests and answers share."""

from typing import Annotated, Any

from flask import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from mail.decoding import visible
from server.actions.action import Arguments
from server.limits import LONGEST_LINE

Text = Annotated[str, Field(max_length=LONGEST_LINE, pattern=r"^[^\x00]*$")]
"""A line, in which anything may stand but what means nothing (NUL)."""
Turn = Annotated[int, Field(ge=0, le=10**9, description="The turn that is meant: `turn` of the game.")]
Page = Annotated[int, Field(ge=1, le=10**6, description="Which page, from 1.")]
Json = dict[str, Any]


class RequestBody(Arguments):
    """The body of a request: the fields that are named here, in the types that are named, and no others."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, sent: object) -> object:
        return _tidied(sent)


class Query(BaseModel):
    """The parameters behind the question mark of an address."""

    model_config = ConfigDict(extra="forbid")


class ResponseBody(BaseModel):
    """The body of an answer: the fields of a view that are named here."""

    model_config = ConfigDict(extra="forbid", from_attributes=True)


class GamePath(BaseModel):
    """The address of a game."""

    number: int = Field(ge=0, lt=10**15, description="The number of the game.")


class TournamentPath(BaseModel):
    """The address of a tournament."""

    number: int = Field(ge=0, lt=10**15, description="The number of the tournament.")


def _tidied(sent: object) -> object:
    """Return what was sent, with 1 for 1.0, the same number in JSON, and in texts only what people can see."""
    match sent:
        case str():
            # Where the document asks for a character, one that cannot be seen is one, too.
            return visible(sent) or ("\N{REPLACEMENT CHARACTER}" if sent else "")
        case float() if sent.is_integer():
            return int(sent)
        case dict():
            return {name: _tidied(value) for name, value in sent.items()}
        case list():
            return [_tidied(each) for each in sent]
    return sent


def answered(answer: BaseModel) -> Response:
    """An answer as it is sent."""
    return Response(answer.model_dump_json(), content_type="application/json")

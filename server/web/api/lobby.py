"""The lobby: open games."""

from datetime import datetime
from typing import Annotated

from flask import Response
from pydantic import Field

from server.game.views import open_games as open_game_views
from server.web.api.blueprint import pages
from server.web.api.schemas import Page, Query, ResponseBody, Text, answered
from server.web.shared.visits import looking

_PAGE = 50


class OpenAsked(Query):
    """The open games to list."""

    game_type: Text = Field(default="", description="Only of this game type; empty for all.")
    page: Annotated[Page, Field(le=1000)] = 1


class OpenGameItem(ResponseBody):
    """An open game."""

    number: int
    game_type: str
    options: str
    players: list[str]
    missing: int
    terms: list[str]
    since: datetime
    joined: bool
    misfit: str = Field(description="Why the player cannot join; empty if they can.")


class OpenGameList(ResponseBody):
    """A page of open games, the latest first."""

    games: list[OpenGameItem]
    more: bool


@pages.get("/open-games", responses={"200": OpenGameList})
def open_games(query: OpenAsked) -> Response:
    """Open games, the latest first."""
    with looking() as visit:
        skip = _PAGE * (query.page - 1)
        found = open_game_views.open_games(visit.session, visit.player, _PAGE + 1, skip, query.game_type)
    rows = [OpenGameItem.model_validate(each) for each in found[:_PAGE]]
    return answered(OpenGameList(games=rows, more=len(found) > _PAGE))

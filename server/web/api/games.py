"""The lists of the player's games, and of open games."""

from datetime import datetime
from typing import Annotated, Literal

from flask import Response
from pydantic import Field

from server.game.views import lists
from server.game.views import open_games as open_game_views
from server.web.api.blueprint import pages
from server.web.api.schemas import Page, Query, ResponseBody, Text, answered
from server.web.shared.visits import looking

_PAGE = 50

ListName = Literal["turns", "waiting", "invitations", "wordless", "challenges", "open", "finished"]


class GamesAsked(Query):
    """The list and its page."""

    list: ListName = Field(
        default="turns",
        description="`turns`: the player is to move, most urgent first; `waiting`: another player is to move; "
        "`invitations`: the player can accept; `wordless`: the player's own challenges that wait for their "
        "words for luck; `challenges`: others have to accept; `open`: open games; `finished`: finished games.",
    )
    page: Page = 1


class ListedGame(ResponseBody):
    """A game in a list."""

    number: int
    game_type: str
    options: str
    opponents: list[str]
    state: str
    turn: int
    my_turn: bool
    since: datetime
    due: datetime | None = Field(description="The deadline of the player's move; null without one.")
    outcome: str = Field(description="`won`, `lost`, `drawn` or `abandoned`; empty for other games.")
    unread: bool = Field(description="Whether the game has messages that the player has not seen on its page.")


class GameList(ResponseBody):
    """A page of a list of games."""

    games: list[ListedGame]
    count: int = Field(description="The number of games in the whole list.")
    page: int
    pages: int


@pages.get("/games", responses={"200": GameList})
def games(query: GamesAsked) -> Response:
    """The player's games.

    A page of one of the lists, by default `turns`.
    """
    with looking() as visit:
        found = lists.lists_of(visit.session, visit.player, {query.list: _PAGE}, query.page).get(query.list)
    if found is None:
        return answered(GameList(games=[], count=0, page=1, pages=0))
    rows = [ListedGame.model_validate(each) for each in found.rows]
    return answered(GameList(games=rows, count=found.count, page=found.page, pages=found.pages))


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

"""The player's games, in lists."""

from datetime import datetime
from typing import Literal

from flask import Response
from pydantic import Field

from server.game.views import lists
from server.web.api.blueprint import pages
from server.web.api.schemas import Page, Query, ResponseBody, answered
from server.web.shared.visits import looking

_PAGE = 50

ListName = Literal["turns", "waiting", "invitations", "wordless", "challenges", "open", "finished"]


class GamesAsked(Query):
    """Which games."""

    list: ListName = Field(
        default="turns",
        description="`turns`: those that wait for the player's move, the most urgent first; `waiting`: those "
        "that wait for others; `invitations`: those that the player can accept; `wordless`: own challenges to "
        "which they owe words for luck; `challenges`: those that wait for others to accept; `open`: those that "
        "wait for others to join; `finished`: those that are over.",
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
    due: datetime | None = Field(description="When the player's move is due; null for never.")
    outcome: str = Field(description="`won`, `lost`, `drawn` or `abandoned`; empty while it goes on.")
    unread: bool = Field(
        description="Whether somebody said something that the player has not seen on the game's page."
    )


class GameList(ResponseBody):
    """A page of a list of games."""

    games: list[ListedGame]
    count: int = Field(description="How many games are in the whole list.")
    page: int
    pages: int


@pages.get("/games", responses={"200": GameList})
def games(query: GamesAsked) -> Response:
    """Games that wait, and all others.

    A page of one of the player's lists; of those that wait for the player's move, unless another is named.
    """
    with looking() as visit:
        found = lists.lists_of(visit.session, visit.player, {query.list: _PAGE}, query.page).get(query.list)
    if found is None:
        return answered(GameList(games=[], count=0, page=1, pages=0))
    rows = [ListedGame.model_validate(each) for each in found.rows]
    return answered(GameList(games=rows, count=found.count, page=found.page, pages=found.pages))

"""How games come about: open games, and challenges."""

from datetime import datetime
from typing import Annotated

from flask import Response
from pydantic import Field

from rules.limits import MOST_OPTIONS, MOST_SEATS
from server.accounts import players
from server.actions import lobby
from server.game.lobby import challenges, joining
from server.game.log import log
from server.game.views import open_games as open_game_views
from server.web.api.blueprint import pages
from server.web.api.errors import document_errors
from server.web.api.game import GameAnswer, game_state
from server.web.api.idempotency import Named, done
from server.web.api.schemas import Page, Query, RequestBody, ResponseBody, Text, answered
from server.web.shared.visits import Visit, looking, services

_PAGE = 50


class OpenAsked(Query):
    """Which open games."""

    game_type: Text = Field(default="", description="Of one game type; empty for all.")
    page: Annotated[Page, Field(le=1000)] = 1


class OpenGameItem(ResponseBody):
    """A game that waits for others to join."""

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


class Proposed(RequestBody):
    """A game as it is to be."""

    game_type: Text
    options: dict[str, lobby.Option | int] = Field(
        default={},
        max_length=2 * MOST_OPTIONS,
        description='Of its game type and of every game, as in emails: `{"size": 5, "time": "1d"}`.',
    )

    def written(self) -> dict[str, object]:
        """The options as people write them."""
        return lobby.written(self.options)


class Challenge(Proposed):
    """A game that is proposed to others."""

    opponents: list[Text] = Field(
        min_length=1, max_length=MOST_SEATS, description="Their names or email addresses."
    )
    own_words: bool = Field(default=False, description="Whether the player gives words for luck of their own.")


_GAME = {"200": GameAnswer, **document_errors(403, 409)}


@pages.get("/open-games", responses={"200": OpenGameList})
def open_games(query: OpenAsked) -> Response:
    """Games that wait for others to join."""
    with looking() as visit:
        skip = _PAGE * (query.page - 1)
        found = open_game_views.open_games(visit.session, visit.player, _PAGE + 1, skip, query.game_type)
    rows = [OpenGameItem.model_validate(each) for each in found[:_PAGE]]
    return answered(OpenGameList(games=rows, more=len(found) > _PAGE))


@pages.post("/open-games", responses=_GAME)
def seek(header: Named, body: Proposed) -> Response:
    """Open a game to others."""

    def do(visit: Visit) -> GameAnswer:
        opened = joining.seek(visit.action, visit.player, body.game_type, body.written())
        return game_state(visit, log.id_of(opened))

    return done(header, do)


@pages.post("/challenges", responses=_GAME)
def challenge(header: Named, body: Challenge) -> Response:
    """Challenge others, or the computer."""

    def do(visit: Visit) -> GameAnswer:
        own = services().settings.plain_address
        players.admit(visit.action, visit.player)
        others = challenges.opponents(visit.action, ", ".join(body.opponents), own)
        game = challenges.challenge(
            visit.action, visit.player, others, body.game_type, body.written(), own_words=body.own_words
        )
        return game_state(visit, log.id_of(game))

    return done(header, do)

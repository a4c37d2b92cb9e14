"""Messages between the players of a game, and between its spectators."""

from datetime import datetime

from flask import Response
from pydantic import Field

from server.game.spectators import chat
from server.game.views import game_view, history
from server.web.api.blueprint import pages
from server.web.api.errors import document_errors
from server.web.api.game import seen, target
from server.web.api.schemas import GamePath, Page, Query, ResponseBody, answered
from server.web.shared.visits import looking


class SaidAnswer(ResponseBody):
    """A message, or one of the player's notes."""

    speaker: str
    own: bool
    text: str
    turn: int
    at: datetime
    note: bool
    to: str = Field(description="The only recipient; empty for a message to all players, and for notes.")


class Thread(ResponseBody):
    """A page of messages in order of time; page 1 has the latest."""

    said: list[SaidAnswer]
    before: int = Field(description="The number of messages before these.")
    page: int


class PageQuery(Query):
    """The page to return."""

    page: Page = 1


@pages.get("/games/<int:number>/said", responses={"200": Thread, **document_errors(403)})
def said(path: GamePath, query: PageQuery) -> Response:
    """Messages between the players, and the player's own notes."""
    with looking() as visit:
        game, _ = seen(visit, path.number)
        seat = target(visit, path.number, game.turn).seat
        view = game_view.game_view(visit.session, visit.action.sealer, game, seat)
        labels = [each.label for each in view.seats]
        thread = history.thread(visit.session, visit.action.sealer, game, labels, seat, query.page)
    return answered(Thread.model_validate(thread))


class SpectatorMessageAnswer(ResponseBody):
    """A message of a spectator."""

    number: int
    speaker: str
    own: bool
    text: str
    turn: int
    at: datetime


class SpectatorMessages(ResponseBody):
    """A page of the spectator chat in order of time; page 1 has the latest."""

    said: list[SpectatorMessageAnswer]
    more: bool = Field(description="Whether there are earlier messages.")
    page: int


@pages.get("/games/<int:number>/spectator-messages", responses={"200": SpectatorMessages})
def spectator_messages(path: GamePath, query: PageQuery) -> Response:
    """The spectator chat; players can read it when the game is over."""
    with looking() as visit:
        game, seat = seen(visit, path.number)
        sealer = visit.action.sealer
        found, more = chat.list_visible(visit.session, sealer, game, visit.player, seat, query.page)
    said = [SpectatorMessageAnswer.model_validate(each) for each in found]
    return answered(SpectatorMessages(said=said, more=more, page=query.page))

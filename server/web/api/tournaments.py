"""Tournaments: a list, and each with its standings and games."""

from datetime import datetime
from typing import Literal

from flask import Response, abort
from pydantic import Field

from server.store.models import Tournament
from server.tournaments.lists import list_tournaments
from server.tournaments.views import tournament_view
from server.web.api.blueprint import pages
from server.web.api.schemas import Page, Query, ResponseBody, TournamentPath, answered
from server.web.shared.visits import looking, require_login

_PAGE = 50


class TournamentsQuery(Query):
    """The tournaments to list."""

    state: Literal["open", "running", "over"] = "open"
    page: Page = 1


class TournamentItem(ResponseBody):
    """A tournament in a list."""

    number: int
    name: str
    game_type: str
    options: str
    form: str
    state: str = Field(description="`open` (for sign-up), `running`, `over` or `cancelled`.")
    players: int = Field(description="The number of players.")
    room: int = Field(description="The largest number of players.")
    closes_at: datetime = Field(description="The end of sign-up.")
    round: int
    rounds: int
    joined: bool = Field(description="Whether the player takes part or is on the waiting list.")


class TournamentList(ResponseBody):
    """A page of tournaments, the latest first."""

    tournaments: list[TournamentItem]
    more: bool


class StandingAnswer(ResponseBody):
    """A player's place in the standings."""

    place: int
    name: str
    points: str
    games: int
    left: bool


class MeetingAnswer(ResponseBody):
    """A pairing of two players in a round, or one player with a bye."""

    round: int
    first: str
    second: str
    game: int | None
    result: str


class TournamentAnswer(TournamentItem):
    """A tournament as the player may see it."""

    made_by: str
    terms: list[str]
    entered: list[str]
    waiting: list[str] = Field(description="The players on the waiting list.")
    can_enter: bool
    standings: list[StandingAnswer]
    meetings: list[MeetingAnswer]


@pages.get("/tournaments", responses={"200": TournamentList})
def tournaments(query: TournamentsQuery) -> Response:
    """Tournaments in one state."""
    with looking() as visit:
        skip = _PAGE * (query.page - 1)
        found = list_tournaments(visit.session, visit.player, query.state, _PAGE + 1, skip)
    rows = [TournamentItem.model_validate(each) for each in found[:_PAGE]]
    return answered(TournamentList(tournaments=rows, more=len(found) > _PAGE))


@pages.get("/tournaments/<int:number>", responses={"200": TournamentAnswer})
def tournament(path: TournamentPath) -> Response:
    """A tournament with its standings and the games of all rounds."""
    with looking() as visit:
        if visit.session.get(Tournament, path.number) is None:
            abort(404)
        view = tournament_view(visit.session, path.number, require_login().number, visit.action.now)
    about = TournamentItem.model_validate(view.line)
    return answered(
        TournamentAnswer(
            **about.model_dump(),
            made_by=view.made_by,
            terms=list(view.terms),
            entered=list(view.entered),
            waiting=list(view.waiting),
            can_enter=view.can_enter,
            standings=[StandingAnswer.model_validate(each) for each in view.standings],
            meetings=[
                MeetingAnswer.model_validate(each) for meetings in view.rounds.values() for each in meetings
            ],
        )
    )

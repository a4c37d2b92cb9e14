"""Hints and analyses that players have requested from the computer."""

from flask import Response
from pydantic import Field

from server.game.computer import inquiries
from server.game.views import game_view
from server.web.api.blueprint import pages
from server.web.api.errors import document_errors
from server.web.api.game import seen, target
from server.web.api.schemas import GamePath, Json, ResponseBody, answered
from server.web.shared.visits import looking


class HintAnswer(ResponseBody):
    """A hint for the current turn."""

    offered: bool = Field(description="Whether the player can request a hint.")
    awaited: bool = Field(
        description="Whether the player has requested a hint and the computer is still working."
    )
    move: str = Field(description="The suggested move; empty while there is no hint.")
    reasons: list[str]


class AnalysisAnswer(ResponseBody):
    """The analysis of a finished game."""

    awaited: bool = Field(description="Whether the player has requested it and the computer is still working.")
    analysis: Json | None = Field(
        description="`shares`: each seat's chance of winning after each of the turns `numbers`; `slips`: moves "
        "that lost much. Null without an analysis."
    )


@pages.get("/games/<int:number>/hint", responses={"200": HintAnswer, **document_errors(403)})
def hint(path: GamePath) -> Response:
    """The hint that the player has requested."""
    with looking() as visit:
        game, _ = seen(visit, path.number)
        seat = target(visit, path.number, game.turn).seat
        view = game_view.game_view(visit.session, visit.action.sealer, game, seat)
        found = inquiries.hint_view(visit.session, game, seat, owes=view.my_turn)
    return answered(
        HintAnswer(
            offered=found.is_offered,
            awaited=found.is_awaited,
            move="" if found.hint is None else found.hint.best.move,
            reasons=[] if found.hint is None else list(found.hint.reasons),
        )
    )


@pages.get("/games/<int:number>/analysis", responses={"200": AnalysisAnswer})
def analysis(path: GamePath) -> Response:
    """The analysis of a finished game, if a player has requested it."""
    with looking() as visit:
        game, _ = seen(visit, path.number)
        found = inquiries.assessment_of(visit.session, game)
        awaited = found is None and inquiries.awaits_assessment(visit.session, game, visit.player)
    return answered(AnalysisAnswer(awaited=awaited, analysis=None if found is None else found.to_json()))

"""The URLs of actions, made from the same objects as commands in emails and forms on pages."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from flask import Response
from pydantic import BaseModel, Field, create_model

from server.actions.action import Action, Actor, Door, GameActor, TournamentActor
from server.actions.registry import ACCOUNT_ACTIONS, GAME_ACTIONS, TOURNAMENT_ACTIONS
from server.game.log import log
from server.web.api.blueprint import pages
from server.web.api.errors import document_errors
from server.web.api.game import GameAnswer, game_state, seen
from server.web.api.idempotency import Named, done
from server.web.api.schemas import GamePath, RequestBody, ResponseBody, TournamentPath, Turn
from server.web.shared.visits import Visit, about_actor, actor

AnyAction = Action[Any, Any]


class ActionAnswer(ResponseBody):
    """The confirmation of an action, in a sentence."""

    detail: str
    tournament: int | None = Field(default=None, description="The number of the new tournament.")


class NoPath(BaseModel):
    """A path without a number."""


def _in_game(visit: Visit, path: Any, turn: int | None) -> Actor:
    game, seat = seen(visit, path.number, lock=True)
    meant = game.turn if turn is None else turn
    return GameActor(**about_actor(visit), game=game, seat=seat, turn=meant)


def _in_tournament(visit: Visit, path: Any, turn: int | None) -> Actor:
    return TournamentActor(**about_actor(visit), tournament=path.number)


def _anywhere(visit: Visit, path: Any, turn: int | None) -> Actor:
    return actor(visit)


def _body_of(action: AnyAction) -> type[RequestBody]:
    """Return the model of a request body: the arguments of an action, and the turn if the action needs it."""
    name = "".join(map(str.capitalize, re.split("[-/]", action.name)))
    about: Any = action.arguments
    turn: Any = {"turn": (Turn, ...)} if action.in_turn else {}
    return create_model(f"{name}Body", __base__=(RequestBody, about), __doc__=about.__doc__, **turn)


def _operation(
    action: AnyAction, Path: type[BaseModel], actor_of: Callable[[Visit, Any, int | None], Actor]
) -> Callable[..., Response]:
    """Return a view that carries an action out."""
    Body = _body_of(action)

    def act(path: Path, header: Named, body: Body) -> Response:  # type: ignore[valid-type]
        values: dict[str, Any] = body.model_dump()  # type: ignore[attr-defined]
        turn = values.pop("turn", None)

        def do(visit: Visit) -> ResponseBody:
            outcome = action.carry_out(actor_of(visit, path, turn), values)
            if not action.shows_game:
                return ActionAnswer(detail=outcome.sentence, tournament=outcome.tournament)
            number = path.number if outcome.game is None else log.id_of(outcome.game)  # type: ignore[attr-defined]
            return game_state(visit, number, outcome.sentence)

        return done(header, do)

    act.__doc__ = action.summary
    return act


def _add(
    actions: Iterable[AnyAction],
    place: str,
    Path: type[BaseModel],
    actor_of: Callable[[Visit, Any, int | None], Actor],
) -> None:
    """Add the URLs of some actions under a prefix."""
    for action in actions:
        if Door.API in action.not_offered:
            continue
        operation = _operation(action, Path, actor_of)
        operation.__name__ = f"act{place}{action.name}".replace("/<int:number>", "").replace("/", "_")
        answers = {"200": GameAnswer if action.shows_game else ActionAnswer, **document_errors(403, 409)}
        pages.post(f"{place}{action.name}", responses=answers)(operation)


_add(GAME_ACTIONS, "/games/<int:number>/", GamePath, _in_game)
_add(TOURNAMENT_ACTIONS, "/tournaments/<int:number>/", TournamentPath, _in_tournament)
_add(ACCOUNT_ACTIONS, "/", NoPath, _anywhere)

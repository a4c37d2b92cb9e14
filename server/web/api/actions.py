"""The actions in a game: an address for each, made from the same objects as emails and forms."""

from collections.abc import Callable
from typing import Any

from flask import Response
from pydantic import create_model

from server.actions.action import Action, Door, GameVisitor
from server.actions.registry import ACTIONS
from server.game.log import log
from server.web.api.blueprint import pages
from server.web.api.errors import document_errors
from server.web.api.game import GameAnswer, game_state, seen
from server.web.api.idempotency import Named, done
from server.web.api.schemas import GamePath, RequestBody, ResponseBody, Turn
from server.web.shared.visits import Visit


class Told(ResponseBody):
    """What was done, in a sentence."""

    detail: str


def _body_of(action: Action[Any]) -> type[RequestBody]:
    """Return what a program sends: the arguments, and the turn where it has to be named."""
    name = "".join(map(str.capitalize, action.name.split("-")))
    about: Any = action.arguments
    turn: Any = {"turn": (Turn, ...)} if action.in_turn else {}
    return create_model(f"{name}Body", __base__=(RequestBody, about), __doc__=about.__doc__, **turn)


def _operation(action: Action[Any]) -> Callable[..., Response]:
    """Return what carries an action out when a program sends its body."""
    Body = _body_of(action)

    def act(path: GamePath, header: Named, body: Body) -> Response:  # type: ignore[valid-type]
        values: dict[str, Any] = body.model_dump()  # type: ignore[attr-defined]

        def do(visit: Visit) -> ResponseBody:
            game, seat = seen(visit, path.number, lock=True)
            turn = values.pop("turn", game.turn)
            visitor = GameVisitor(visit.action, visit.player, game, seat, turn, Door.API)
            outcome = action.carry_out(visitor, values)
            if action.leaves:
                return Told(detail=outcome.sentence)
            there = path.number if outcome.game is None else log.id_of(outcome.game)
            return game_state(visit, there, outcome.sentence)

        return done(header, do)

    act.__name__ = f"do_{action.name.replace('-', '_')}"
    act.__doc__ = action.summary
    return act


for each in ACTIONS:
    if Door.API not in each.not_offered:
        answers = {"200": Told if each.leaves else GameAnswer, **document_errors(403, 409)}
        pages.post(f"/games/<int:number>/{each.name}", responses=answers)(_operation(each))

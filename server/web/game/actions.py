"""Forms for the actions in a game: a URL for each action that is offered on pages."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for

from rules.errors import WrongMove
from server.actions.action import Action, Door, GameActor
from server.actions.registry import GAME_ACTIONS
from server.errors import NotYours, Refused
from server.game.log import log
from server.web.game.game_visit import at_game, at_locked_game
from server.web.game.move_form import MoveAttempt, turn_meant
from server.web.game.page import SentForm, game_page
from server.web.shared.visits import PageResponse, acting, looking, require_login

pages = Blueprint("actions", __name__, url_prefix="/games/<int:number>")


def _form_of(action: Action[GameActor, Any]) -> Callable[[int], PageResponse]:
    """Return a view that carries an action out when its form is sent."""

    def act(number: int) -> PageResponse:
        require_login()
        # Browsers count a line break as one character but send two.
        fields = {name: request.form.get(name, "") for name in action.arguments.model_fields}
        sent = {name: value.replace("\r\n", "\n").strip() for name, value in fields.items()}
        try:
            with acting() as visit:
                here = at_locked_game(visit, number)
                turn = turn_meant() if action.in_turn else here.game.turn
                values = {name: value for name, value in sent.items() if value}
                outcome = here.carry_out(action, values, turn)
                there = number if outcome.game is None else log.id_of(outcome.game)
                if action.shows_game:
                    at_locked_game(visit, there)
        except NotYours:
            raise
        except (Refused, WrongMove) as problem:
            refused = SentForm(action.name, sent, str(problem), action.anchor)
            with looking() as visit:
                return game_page(at_game(visit, number), MoveAttempt(), sent=refused), 422
        flash(outcome.sentence)
        if not action.shows_game:
            return redirect(url_for("games.mine"), 303)
        return redirect(url_for("game.show", number=there, _anchor=action.anchor or None), 303)

    return act


def _question_of(action: Action[GameActor, Any], label: str) -> Callable[[int], str]:
    """Return a view that asks for confirmation of an action."""

    def ask(number: int) -> str:
        with looking() as visit:
            here = at_game(visit, number)
            here.target(here.game.turn)
            title = log.rules_of(here.game).title
            return render_template(
                "ask.html", action=action, label=label, number=number, title=title, turn=here.game.turn
            )

    return ask


for each in GAME_ACTIONS:
    if Door.WEB not in each.not_offered:
        pages.add_url_rule(f"/{each.name}", each.name, _form_of(each), methods=["POST"])
    if each.warning:
        pages.add_url_rule(f"/{each.name}", f"ask-{each.name}", _question_of(each, each.name.capitalize()))

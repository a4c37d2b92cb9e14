"""Counter-offers: other terms in reply to an invitation."""

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from werkzeug.wrappers import Response

from server.actions import lobby
from server.errors import BadRequest
from server.game.log import log
from server.web.game.game_visit import GameVisit, at_game, at_locked_game
from server.web.lobby.options_form import chosen, filled, gives_words, house_options, proposal_fields
from server.web.shared.labels import AT_FORM
from server.web.shared.visits import acting, looking, require_login

pages = Blueprint("countering", __name__, url_prefix="/games/<int:number>/counter")


@pages.get("")
def form(number: int) -> str:
    """Show the form with the terms of the invitation."""
    require_login()
    return _form(number)


@pages.post("/terms")
def terms(number: int) -> str:
    """Show the form again, with the chosen terms in words."""
    require_login()
    return _form(number, told=True)


@pages.post("")
def counter(number: int) -> Response | tuple[str, int]:
    """Propose the terms of the form instead of those of the invitation."""
    try:
        with acting() as visit:
            here = _invited(at_game(visit, number))
            rules = log.rules_of(here.game)
            options = {**chosen(rules), **filled(house_options(rules))}
            values = {"options": options, "own_words": gives_words()}
            outcome = here.carry_out(lobby.COUNTER, values, here.game.turn)
            there = number if outcome.game is None else log.id_of(outcome.game)
            at_locked_game(visit, there)
    except BadRequest as problem:
        return _form(number, problem=problem.worded(AT_FORM)), 422
    flash(outcome.sentence)
    return redirect(url_for("game.show", number=there), 303)


def _form(number: int, problem: str = "", *, told: bool = False) -> str:
    with looking() as visit:
        game = _invited(at_game(visit, number)).game
        rules = log.rules_of(game)
        unrated = "rated" not in game.terms
        fields = proposal_fields(visit, rules, {**game.options, **game.terms}, unrated=unrated, told=told)
    return render_template("counter.html", number=number, title=rules.title, problem=problem, **fields)


def _invited(here: GameVisit) -> GameVisit:
    """Return the visit if the visitor is invited to the game; 404 otherwise."""
    if here.game.state != "invited" or here.seat in (None, 0):
        abort(404)
    return here

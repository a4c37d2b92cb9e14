"""Other terms in answer to an invitation."""

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from werkzeug.wrappers import Response

from server.actions import lobby
from server.errors import BadRequest
from server.game.log import log
from server.web.game.page import GameVisit, at_game, at_locked_game
from server.web.lobby.options_form import chosen, filled, gives_words, house_options, proposal_fields
from server.web.shared.labels import AT_FORM
from server.web.shared.visits import acting, looking, require_login

pages = Blueprint("countering", __name__, url_prefix="/games/<int:number>/counter")


@pages.get("")
def form(number: int) -> str:
    """The terms of the invitation, to be changed."""
    require_login()
    return _form(number)


@pages.post("/terms")
def terms(number: int) -> str:
    """The form again, with what is chosen and written there put into words."""
    require_login()
    return _form(number, told=True)


@pages.post("")
def counter(number: int) -> Response | tuple[str, int]:
    """Propose what is written there in place of the invitation."""
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
    """Where the visitor is invited; 404 for any other game."""
    if here.game.state != "invited" or here.seat in (None, 0):
        abort(404)
    return here

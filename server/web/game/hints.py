"""What players ask the computer on the page of a game; the answer appears there when it has thought."""

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from server.errors import BadRequest
from server.game.computer import inquiries
from server.web.game.page import at_locked_game
from server.web.shared.visits import acting, require_login

pages = Blueprint("coaching", __name__, url_prefix="/games/<int:number>")


@pages.post("/hint")
def hint(number: int) -> Response:
    """Ask for a hint for the turn of the form."""
    try:
        with acting() as visit:
            target = at_locked_game(visit, number).target(request.form.get("turn", 0, type=int))
            inquiries.ask_hint(visit.action, visit.player, target, by_mail=False)
    except BadRequest as problem:
        flash(str(problem))
    return redirect(url_for("game.show", number=number, _anchor="hint"), 303)


@pages.post("/assess")
def assess(number: int) -> Response:
    """Ask how a game that is over went; it is shown to all who may see the game."""
    require_login()
    try:
        with acting() as visit:
            here = at_locked_game(visit, number)
            inquiries.ask_assessment(visit.action, visit.player, here.game, here.seat, by_mail=False)
    except BadRequest as problem:
        flash(str(problem))
    return redirect(url_for("game.show", number=number, _anchor="course"), 303)

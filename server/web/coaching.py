"""What players ask the computer on the page of a game; the answer appears there when it has thought."""

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from server.errors import BadRequest
from server.game import inquiries
from server.web.game_page import at_locked_game
from server.web.visits import acting

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

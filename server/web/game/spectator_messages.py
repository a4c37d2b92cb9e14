"""Reports of what spectators said on the page of a game."""

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from server.errors import BadRequest
from server.game.spectators import abuse_reports, chat
from server.limits import LONGEST_LINE
from server.web.game.page import at_locked_game
from server.web.shared.visits import acting, require_login

pages = Blueprint("spectator_messages", __name__, url_prefix="/games/<int:number>/spectator-messages")


@pages.post("/<int:which>/report")
def report(number: int, which: int) -> Response:
    """Report to the administrator what another spectator said."""
    require_login()
    try:
        with acting() as visit:
            at_locked_game(visit, number)
            said = chat.to_report(visit.session, number, visit.player, which)
            abuse_reports.report(visit.action, visit.player, said, request.form.get("why", "")[:LONGEST_LINE])
        told = "The words have been reported to the administrator."
    except BadRequest as problem:
        told = str(problem)
    flash(told)
    return redirect(url_for("game.show", number=number, _anchor="spectator-messages"), 303)

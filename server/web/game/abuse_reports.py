"""The page on which a player reports a message of another player."""

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from server.actions import messages
from server.errors import BadRequest
from server.game.spectators import abuse_reports
from server.limits import LONGEST_LINE
from server.web.game.game_visit import GameVisit, at_game, at_locked_game
from server.web.shared.visits import acting, looking

pages = Blueprint("reporting", __name__, url_prefix="/games/<int:number>/said/<int:place>/report")


@pages.get("")
def ask(number: int, place: int) -> str:
    """Show the message and the form for a report."""
    with looking() as visit:
        return _page(at_game(visit, number), place)


@pages.post("")
def report(number: int, place: int) -> Response | tuple[str, int]:
    """Report the message."""
    why = request.form.get("why", "")
    try:
        with acting() as visit:
            here = at_locked_game(visit, number)
            outcome = here.carry_out(messages.REPORT, {"why": why, "place": place}, here.game.turn)
    except BadRequest as problem:
        with looking() as visit:
            return _page(at_game(visit, number), place, why, str(problem)), 422
    flash(outcome.sentence)
    return redirect(url_for("game.show", number=number), 303)


def _page(here: GameVisit, place: int, why: str = "", problem: str = "") -> str:
    seat = here.target(here.game.turn).seat
    message = abuse_reports.message_at(here.visit.action, here.game, seat, place)
    return render_template(
        "report_words.html",
        number=here.number,
        place=place,
        speaker=here.names()[message.seat],
        words=here.visit.action.sealer.open(message.sealed).decode(),
        why=why,
        problem=problem,
        longest=LONGEST_LINE,
    )

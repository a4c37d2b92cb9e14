"""The page of a game: its board and history, and moves that are tried or played."""

from contextlib import suppress
from dataclasses import replace

from flask import Blueprint, abort, flash, redirect, request, url_for
from sqlalchemy.exc import InterfaceError, OperationalError
from werkzeug.wrappers import Response

from rules.errors import WrongMove
from server.actions import play
from server.errors import Refused
from server.game.log import log
from server.game.play import moves, picking
from server.web.game.game_visit import GameVisit, at_game, at_locked_game
from server.web.game.move_form import MoveAttempt, sent_attempt, turn_meant
from server.web.game.move_input import meaning_part, prepared_part, refused, understood
from server.web.game.page import game_page, past, see, tried
from server.web.shared.visits import PageResponse, acting, looking

pages = Blueprint("game", __name__, url_prefix="/games/<int:number>")


@pages.get("")
def show(number: int) -> PageResponse:
    """Show the game now, after an earlier turn (`?turn=12`), or with a tried move (`?move=c4`, `?pick=c4`)."""
    with looking() as visit:
        here = at_game(visit, number)
        turn = request.args.get("turn", type=int)
        if turn is not None:
            return game_page(here, MoveAttempt(), past(here, turn))
        attempt = MoveAttempt(request.args.get("move", "").strip(), tuple(request.args.getlist("pick")))
        if (attempt.move or attempt.picks) and not log.rules_of(here.game).simultaneous:
            return _try(here, attempt, here.game.turn)
        page, unseen = game_page(here, MoveAttempt()), here.unseen
    if unseen is not None:
        # If this cannot be stored, the next visit shows the same turns again.
        with suppress(OperationalError, InterfaceError):
            see(number, unseen)
    return page


@pages.post("/try")
def attempt(number: int) -> PageResponse:
    """Show the board after a move or picks without playing them; a POST request, to keep orders out of URLs."""
    with looking() as visit:
        return _try(at_game(visit, number), sent_attempt(), turn_meant())


@pages.post("/meaning")
def meaning(number: int) -> str:
    """Return the part of the page with the meaning of a move that is being written."""
    attempt, turn = MoveAttempt(request.form.get("text", "").strip()), turn_meant()
    with looking() as visit:
        here = at_game(visit, number)
        target = here.target(turn)
        if not attempt.text:
            return meaning_part(attempt)
        try:
            attempt = understood(here, turn, attempt)
            moves.preview(visit.action, visit.player, target, attempt.move, attempt.conditions)
        except (Refused, WrongMove) as problem:
            attempt = refused(here, turn, attempt, problem)
    return meaning_part(attempt)


@pages.post("/move")
def move(number: int) -> PageResponse:
    """Play a move or seal orders."""
    attempt, turn = sent_attempt(), turn_meant()
    try:
        with acting() as visit:
            here = at_locked_game(visit, number)
            attempt = understood(here, turn, attempt)
            values = {"move": attempt.move, "conditions": attempt.conditions}
            outcome = here.carry_out(play.MOVE, values, turn)
    except (Refused, WrongMove) as problem:
        with looking() as visit:
            return _refused(at_game(visit, number), attempt, turn, problem), 422
    flash(outcome.sentence)
    return redirect(url_for("game.show", number=number), 303)


@pages.post("/conditions/meaning")
def conditions_meaning(number: int) -> str:
    """Return the part of the page with the meaning of conditional moves that are being written."""
    prepared = sent_attempt()
    with looking() as visit:
        target = at_game(visit, number).target(turn_meant())
        if prepared.text:
            try:
                kept = moves.preview_conditions(visit.action, visit.player, target, prepared.text)
                prepared = replace(prepared, meant="\n".join(kept))
            except Refused as problem:
                prepared = prepared.refused(problem)
    return prepared_part(prepared)


@pages.get("/record.json")
def record(number: int) -> Response:
    """Return the game as a record with the turns that are over."""
    with looking() as visit:
        here = at_game(visit, number)
        if not here.has_begun:
            abort(404)
        written = log.record(visit.session, here.game).to_json()
    response = Response(written, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="nabu-{number}.json"'
    return response


def _try(here: GameVisit, attempt: MoveAttempt, turn: int) -> PageResponse:
    try:
        attempt = _pressed(here, understood(here, turn, attempt), turn)
        return game_page(here, attempt, tried(here, attempt, turn))
    except (Refused, WrongMove) as problem:
        return _refused(here, attempt, turn, problem), 422


def _pressed(here: GameVisit, attempt: MoveAttempt, turn: int) -> MoveAttempt:
    """Return the attempt after the press on a place: with its picks, or with the reason why there are none."""
    if not attempt.place:
        return attempt
    visit, target = here.visit, here.target(turn)
    try:
        picks = picking.press(visit.action, visit.player, target, attempt.picks, attempt.place)
    except WrongMove as problem:
        return attempt.refused(problem)
    return replace(attempt, picks=picks)


def _refused(here: GameVisit, attempt: MoveAttempt, turn: int, problem: Exception) -> str:
    return game_page(here, refused(here, turn, attempt, problem))

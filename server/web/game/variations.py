"""The variations that a player keeps of a game, private or shared by link."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from rules.errors import WrongMove
from rules.line import Line
from server.errors import Refused
from server.game.log.display_names import is_nameless
from server.game.views import variations
from server.game.views.boards import Board
from server.game.views.variations import Kept
from server.limits import MOST_PARTS
from server.store.models import Player
from server.web.game.analysis_board import board_page, refused_page, start
from server.web.game.game_visit import GameVisit, at_game, at_locked_game
from server.web.game.move_form import turn_meant
from server.web.game.page_side import variations_of
from server.web.shared.visits import acting, looking, require_login

pages = Blueprint("variations", __name__)

_OF_GAME = "/games/<int:number>/variations"


@pages.post(_OF_GAME)
def keep(number: int) -> Response | tuple[str, int]:
    """Save the submitted line as a variation, with a comment."""
    require_login()
    turn, parts = turn_meant(), request.form.getlist("part")[:MOST_PARTS]
    # Browsers count a line break as one character but send two.
    comment = request.form.get("comment", "").strip().replace("\r\n", "\n")
    try:
        with acting() as visit:
            here = at_locked_game(visit, number)
            line = start(here, turn).follow(parts)
            kept = variations_of(here).keep(turn, line.parts, comment)
    except (Refused, WrongMove) as problem:
        return refused_page(number, turn, parts, problem, comment)
    flash("The variation has been saved. Only you can see it.")
    return _to(number, kept)


@pages.get(f"{_OF_GAME}/<int:variation>")
def show(number: int, variation: int) -> str:
    """Show the analysis board at the end of a variation."""
    require_login()
    with looking() as visit:
        here = at_game(visit, number)
        kept = variations_of(here).all().get(variation)
        if kept is None:
            abort(404)
        return board_page(here, kept.turn, start(here, kept.turn).follow(kept.parts), opened=variation)


@pages.post(f"{_OF_GAME}/<int:variation>/share")
def share(number: int, variation: int) -> Response:
    """Share a variation by link."""
    require_login()
    with acting() as visit:
        variations_of(at_locked_game(visit, number)).share(variation)
    flash("Anyone with the link can now see the variation.")
    return _to(number, variation)


@pages.post(f"{_OF_GAME}/<int:variation>/withdraw")
def withdraw(number: int, variation: int) -> Response:
    """Revoke the link of a variation."""
    require_login()
    with acting() as visit:
        variations_of(at_locked_game(visit, number)).withdraw(variation)
    flash("The link no longer works. Only you can see the variation.")
    return _to(number, variation)


@pages.post(f"{_OF_GAME}/<int:variation>/delete")
def delete(number: int, variation: int) -> Response:
    """Delete a variation."""
    require_login()
    with acting() as visit:
        variations_of(at_locked_game(visit, number)).delete(variation)
    flash("The variation is deleted.")
    return redirect(url_for("analysis.begin", number=number), 303)


@pages.get(f"{_OF_GAME}/shared/<secret>")
def show_shared(number: int, secret: str) -> str:
    """Show a shared variation after all its moves or after some (`?step=2`)."""
    with looking() as visit:
        here = at_game(visit, number)
        found = variations.shared(visit.session, visit.action.sealer, here.game, secret)
        if found is None:
            abort(404)
        lines = _lines(here, found.kept)
        step = max(0, min(request.args.get("step", len(lines) - 1, type=int), len(lines) - 1))
        return render_template(
            "variation.html",
            secret=secret,
            number=number,
            title=lines[0].rules.title,
            author="a player" if is_nameless(here.game) else visit.session.get_one(Player, found.player).name,
            kept=found.kept,
            parts=lines[-1].parts,
            step=step,
            board=_board(here, lines[step]),
        )


def _lines(here: GameVisit, kept: Kept) -> list[Line[Any, Any]]:
    """Return the line after each of its parts, from the empty line on."""
    return list(accumulate(kept.parts, Line.then, initial=start(here, kept.turn)))


def _board(here: GameVisit, line: Line[Any, Any]) -> Board:
    """Return the board of a line; during secret orders, with the latest ones."""
    if line.orders:
        seat, orders = line.orders[-1]
        return Board(line.rules, line.position, seat, plan=orders)
    return Board(line.rules, line.position, here.seat, step=line.steps[-1] if line.steps else None)


def _to(number: int, variation: int) -> Response:
    return redirect(url_for("variations.show", number=number, variation=variation), 303)

"""A game against a computer player to try the rules, without a login. Only the page's form stores it."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, abort, render_template, request

from rules.errors import BadData, WrongMove
from rules.pressing import pressed
from rules.registry import RULES
from server.game.computer.tryout import PLAYER, Tryout
from server.web.game.move_form import MoveAttempt, MoveForm, sent_attempt
from server.web.shared.visits import PageResponse

pages = Blueprint("tryout", __name__, url_prefix="/rules/<game_type>/try")


@pages.get("")
def begin(game_type: str) -> str:
    """Show a new game."""
    if game_type not in RULES:
        abort(404)
    return _page(Tryout.begin(game_type))


@pages.post("")
def go_on(game_type: str) -> PageResponse:
    """Show the submitted game after a pick, or after a move and the computer player's reply."""
    try:
        game = Tryout.read(request.form.get("position", ""))
    except BadData:
        abort(400)
    if game.rules.name != game_type:
        abort(400)
    attempt = sent_attempt()
    try:
        if "play" in request.form:
            return _page(game.play(request.form["play"]))
        if attempt.place:
            return _page(game, pressed(game.rules, game.position, PLAYER, attempt.picks, attempt.place))
        return _page(game.play(attempt.text) if attempt.text else game, attempt.picks)
    except WrongMove as problem:
        return _page(game, attempt.picks if attempt.place else (), attempt.refused(problem)), 422


def _page(game: Tryout, picks: Sequence[str] = (), attempt: MoveAttempt | None = None) -> str:
    move_form = None
    if not game.result:
        move_form = MoveForm(0, game.rules.choices(game.position, PLAYER, picks), (), secret=True)
    return render_template(
        "tryout.html", game_type=game.rules, game=game, move_form=move_form, attempt=attempt or MoveAttempt()
    )

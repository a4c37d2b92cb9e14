"""A player's games, pictures of them, and answers to invitations."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from server.game.lobby import challenges, next_in_series
from server.game.views import history, lists, versions
from server.outbound import relay_health
from server.web.game.page import at_game, at_locked_game
from server.web.game.page_updates import live_games
from server.web.game.pictures import cached_response, small
from server.web.shared.sender_confirmation import open_questions
from server.web.shared.visits import acting, looking

pages = Blueprint("games", __name__)

_PAGE = 12
_OVERVIEW = {name: _PAGE if name == "turns" else versions.MOST_OVER for name in lists.LISTS}


@pages.get("/games")
def mine() -> str:
    """The player's games, some of each list, those that wait for them first, or one list (`?list=turns`)."""
    chosen = request.args.get("list", "")
    if chosen and chosen not in lists.LISTS:
        abort(404)
    page, sizes = (request.args.get("page", 1, type=int), {chosen: _PAGE}) if chosen else (1, _OVERVIEW)
    with looking() as visit:
        found = lists.lists_of(visit.session, visit.player, sizes, page)
        live = None if chosen else live_games(visit.session)
        suspended = visit.player.suspended_at is not None
        questions = open_questions(visit)
        late = relay_health.is_late(visit.session, visit.action.now)
    return render_template(
        "games.html",
        lists=found,
        chosen=chosen,
        live=live,
        questions=questions,
        suspended=suspended,
        late=late,
    )


@pages.get("/games/<int:number>/boards/<int:turn>.svg")
def board(number: int, turn: int) -> Response:
    """A small picture of the board after a turn, as everybody may see it: it never changes."""
    with looking() as visit:
        here = at_game(visit, number)
        if not here.has_begun or turn >= here.game.turn:
            abort(404)
        return cached_response(small(history.board_after(visit.session, here.game, turn, None).diagram))


@pages.post("/games/<int:number>/accept")
def accept(number: int) -> Response:
    """Accept an invitation, perhaps with words for luck."""
    with acting() as visit:
        game = challenges.accept(visit.action, visit.player, number, request.form.get("luck", ""))
        at_locked_game(visit, number)
        begun = game.state == "running"
    flash("The game begins." if begun else "You have accepted; the others have not all answered yet.")
    return redirect(url_for("game.show", number=number), 303)


@pages.post("/games/<int:number>/series/off")
def end_series(number: int) -> Response:
    """End the series of a game after the latest of its games."""
    with acting() as visit:
        at_locked_game(visit, number)
        last = next_in_series.end(visit.action, visit.player, number).id
    flash(f"The series ends with game {last}.")
    return redirect(url_for("game.show", number=number), 303)


@pages.post("/games/<int:number>/decline")
def decline(number: int) -> Response:
    """Decline an invitation, or take a challenge back."""
    with acting() as visit:
        challenges.decline(visit.action, visit.player, number)
    flash(f"Game {number} will not be played.")
    return redirect(url_for("games.mine"), 303)

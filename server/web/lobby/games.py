"""The lists of a player's games, and small pictures of boards."""

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response

from server.game.views import history, lists, waiting
from server.outbound import relay_health
from server.web.game.game_visit import at_game
from server.web.game.page_updates import live_games
from server.web.game.pictures import cached_response, small
from server.web.shared.sender_confirmation import open_questions
from server.web.shared.visits import looking

pages = Blueprint("games", __name__)

_PAGE = 12
_OVERVIEW = {name: _PAGE if name == "turns" else waiting.MOST_OVER for name in lists.LISTS}


@pages.get("/games")
def mine() -> str:
    """Show the visitor's games: some of each list, their turns first, or one list in pages (`?list=turns`)."""
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
    """Return a small picture of the board after a turn, as spectators see it. It never changes."""
    with looking() as visit:
        here = at_game(visit, number)
        if not here.has_begun or turn >= here.game.turn:
            abort(404)
        return cached_response(small(history.board_after(visit.session, here.game, turn, None).diagram))

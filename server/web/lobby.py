"""Games that are open to anybody: to join one, or to leave it."""

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from server.game import seeking
from server.web.game_page import at_locked_game
from server.web.visits import acting

pages = Blueprint("lobby", __name__)


@pages.post("/games/<int:number>/join")
def join(number: int) -> Response:
    """Join an open game, perhaps with words for luck; or give words, or others, after joining it."""
    with acting() as visit:
        before = number in seeking.joined(visit.session, visit.player)
        game = seeking.join(visit.action, visit.player, number, request.form.get("luck", ""))
        at_locked_game(visit, number)
        begun = game.state == "running"
    joined = "The game begins." if begun else "You have joined. The game begins when all seats are taken."
    flash("Your words will be mixed in." if before else joined)
    return redirect(url_for("game.show", number=number), 303)


@pages.post("/games/<int:number>/leave")
def leave(number: int) -> Response:
    """Leave an open game, or close one's own."""
    with acting() as visit:
        game = seeking.leave(visit.action, visit.player, number)
        closed = game.state == "closed"
    flash(f"Game {number} is closed." if closed else f"You have left game {number}.")
    return redirect(url_for("games.mine"), 303)

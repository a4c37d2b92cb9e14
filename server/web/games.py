"""A player's games, and their answers to invitations."""

from dataclasses import dataclass

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from server.game import lobby, views
from server.game.views import RowView
from server.outbound import relaying
from server.web.game_page import at_locked_game
from server.web.questions import open_questions
from server.web.visits import Visit, acting, looking

pages = Blueprint("games", __name__)

_PAGE = 20
_GONE = ("over", "declined")


@dataclass(frozen=True)
class Finished:
    """One page of the games that are over; `page` counts from 1."""

    rows: list[RowView]
    page: int
    more: bool


@pages.get("/games")
def mine() -> str:
    """All games of the player: first those that wait for them."""
    page = min(max(request.args.get("page", 1, type=int), 1), 10_000)
    with looking() as visit:
        running = _rows(visit, ("running",))
        asked = _rows(visit, ("invited",))
        finished = _finished(visit, page)
        suspended = visit.player.suspended_at is not None
        questions = open_questions(visit)
        late = relaying.is_late(visit.session, visit.action.now)
    return render_template(
        "games.html",
        turns=[row for row in running if row.my_turn],
        waiting=[row for row in running if not row.my_turn],
        invitations=[row for row in asked if not (row.accepted or row.own_challenge)],
        wordless=[row for row in asked if row.own_challenge and not row.accepted],
        challenges=[row for row in asked if row.accepted],
        finished=finished,
        questions=questions,
        suspended=suspended,
        late=late,
    )


@pages.post("/games/<int:number>/accept")
def accept(number: int) -> Response:
    """Accept an invitation, perhaps with words for luck."""
    with acting() as visit:
        game = lobby.accept(visit.action, visit.player, number, request.form.get("luck", ""))
        at_locked_game(visit, number)
        begun = game.state == "running"
    flash("The game begins." if begun else "You have accepted; the others have not all answered yet.")
    return redirect(url_for("game.show", number=number), 303)


@pages.post("/games/<int:number>/decline")
def decline(number: int) -> Response:
    """Decline an invitation, or take a challenge back."""
    with acting() as visit:
        lobby.decline(visit.action, visit.player, number)
    flash(f"Game {number} will not be played.")
    return redirect(url_for("games.mine"), 303)


def _rows(visit: Visit, states: tuple[str, ...], *, limit: int | None = None, skip: int = 0) -> list[RowView]:
    found = lobby.games_of(visit.session, visit.player, states, limit=limit, skip=skip)
    return [views.row_view(visit.session, game, seat) for game, seat in found]


def _finished(visit: Visit, page: int) -> Finished:
    rows = _rows(visit, _GONE, limit=_PAGE + 1, skip=_PAGE * (page - 1))
    return Finished(rows[:_PAGE], page, more=len(rows) > _PAGE)

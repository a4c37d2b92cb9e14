"""Exports of a game as text, pictures and films; the same for everyone who may see the game."""

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Blueprint, abort
from werkzeug.wrappers import Response

from rules.drawing import svg_board
from server.game.log import log
from server.game.views import export, game_view, history
from server.limits import MOST_FRAMES
from server.web.game import pictures
from server.web.game.game_visit import GameVisit, at_game
from server.web.game.pictures import cached_response
from server.web.shared.visits import looking

pages = Blueprint("exports", __name__, url_prefix="/games/<int:number>")


@pages.get("/moves.txt")
def moves(number: int) -> Response:
    """Return the game as text."""
    with _begun(number) as here:
        view = game_view.game_view(here.visit.session, here.visit.action.sealer, here.game, None)
        written = export.as_text(here.visit.session, here.game, view)
    return _saved(Response(written, content_type="text/plain; charset=utf-8"), f"nabu-{number}.txt")


@pages.get("/pictures/<int:turn>.svg")
def svg(number: int, turn: int) -> Response:
    """Return the board after a turn as SVG."""
    return _saved(cached_response(_board(number, turn)), f"nabu-{number}-{turn}.svg")


@pages.get("/pictures/<int:turn>.png")
def png(number: int, turn: int) -> Response:
    """Return the board after a turn as PNG."""
    return _saved(cached_response(pictures.png(_board(number, turn)), "image/png"), f"nabu-{number}-{turn}.png")


@pages.get("/films/<int:turn>.webp")
def film(number: int, turn: int) -> Response:
    """Return the game up to a turn as an animated WebP."""
    with _begun(number, turn) as here:
        drawn = pictures.film(f"{number} {here.game.head} {turn}", lambda: list(_frames(here, turn)))
    return _saved(cached_response(drawn, "image/webp"), f"nabu-{number}-{turn}.webp")


@pages.get("/cards/<int:turn>.png")
def card(number: int, turn: int) -> Response:
    """Return the preview picture that chats show beside a link to the game; other sites may embed it."""
    with _begun(number, turn) as here:
        title = log.rules_of(here.game).title
    line = f"Game {number}, after turn {turn}" if turn else f"Game {number}"
    response = cached_response(pictures.card(_board(number, turn), title, line), "image/png")
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _board(number: int, turn: int) -> str:
    """Return the board after a turn as SVG, as spectators see it. It never changes."""
    with _begun(number, turn) as here:
        board = history.board_after(here.visit.session, here.game, turn, None)
    return svg_board(board.diagram)


def _frames(here: GameVisit, last: int) -> Iterator[str]:
    for board in export.boards(here.visit.session, here.game, last, MOST_FRAMES):
        yield svg_board(board.diagram)


@contextmanager
def _begun(number: int, turn: int = 0) -> Iterator[GameVisit]:
    """Open a visit to the game; 404 if the turn has not been played."""
    with looking() as visit:
        here = at_game(visit, number)
        if not here.has_begun or turn >= here.game.turn:
            abort(404)
        yield here


def _saved(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response

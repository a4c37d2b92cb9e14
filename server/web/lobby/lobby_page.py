"""The lobby: open games, running games and games that have just finished."""

from flask import Blueprint, abort, render_template
from werkzeug.wrappers import Response

from server.game.log import log
from server.game.views import archive, game_view, lists, open_games
from server.game.views.versions import OPEN_GAMES
from server.web.game.game_visit import at_game
from server.web.game.page_updates import live_lobby
from server.web.game.pictures import cached_response, picture, small
from server.web.shared.paging import LAST_PAGE, asked_page
from server.web.shared.visits import looking, visitor

pages = Blueprint("lobby", __name__)

_FEW = 6
_ASKED = ("invitations", "wordless")
"""The lists of games that wait for the reader's answer."""


@pages.get("/lobby")
def show() -> str:
    """Show open games, the latest first; on page 1 also some running and some finished games."""
    page = asked_page("page")
    with looking() as visit:
        reader = visit.player if visitor() else None
        rows = open_games.open_games(visit.session, reader, OPEN_GAMES + 1, OPEN_GAMES * (page - 1))
        asked = {} if reader is None else lists.count_games(visit.session, reader, _ASKED)
        first = page == 1
        running = archive.being_played(visit.session, _FEW) if first else []
        over = archive.found(visit.session, archive.Search(), _FEW) if first else []
        live = live_lobby(visit.session) if first else None
    return render_template(
        "lobby.html",
        rows=rows[:OPEN_GAMES],
        page=page,
        more=len(rows) > OPEN_GAMES and page < LAST_PAGE,
        asked=sum(asked.values()),
        running=running,
        over=over,
        live=live,
    )


@pages.get("/games/<int:number>/start/<int:seats>.svg")
def board(number: int, seats: int) -> Response:
    """Return a small picture of the first board of an open game for `seats` players.

    If the first board is drawn at random, it is a sample board of the game.
    """
    with looking() as visit:
        game = at_game(visit, number).game
        if game.state != "open" or len(log.rules_of(game).seats(game.options)) != seats:
            abort(404)
        diagram = game_view.first_board(game).diagram
        return cached_response(small(diagram) if diagram.rows else picture(game.game_type))

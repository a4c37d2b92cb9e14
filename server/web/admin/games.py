"""Games, and their decision by an administrator."""

from flask import redirect, render_template, request, url_for

from server.admin import games
from server.admin.games import SeatChoice
from server.errors import BadRequest
from server.web.admin.access import admin_action, section
from server.web.admin.paging import Page
from server.web.shared.visits import PageResponse, acting, done, looking

pages = section("games")

_NOBODY, _ALL = "nobody", "all"


@pages.get("/games")
def show() -> PageResponse:
    """List all games or those of a player; redirect a number to its game."""
    number, name, page = request.args.get("number", type=int), request.args.get("player", ""), Page.asked()
    if number is not None:
        return redirect(url_for("admin.games.show_game", number=number), 303)
    problem = ""
    with looking() as visit:
        try:
            player = games.player_named(visit.session, name) if name else None
            page = page.with_rows(games.list_games(visit.session, page.limit, page.skip, player))
        except BadRequest as refusal:
            problem = str(refusal)
    return render_template("admin/games.html", found=page, name=name, problem=problem)


@pages.get("/games/<int:number>")
def show_game(number: int) -> str:
    """Show a game and the form to decide it."""
    return _game_page(number)


@pages.post("/games/<int:number>")
def decide(number: int) -> PageResponse:
    """End a game or replace its result."""
    chosen, why = request.form.get("winner", ""), request.form.get("why", "")
    try:
        with acting() as visit:
            seats = games.get_game(visit.session, number)[1]
            games.decide(admin_action(visit), number, _winners(chosen, seats), why)
    except BadRequest as problem:
        return _game_page(number, chosen, why, str(problem)), 422
    return done("The result is recorded, and the players are notified.", "admin.games.show_game", number=number)


def _winners(chosen: str, seats: list[SeatChoice]) -> list[int]:
    if chosen == _NOBODY:
        return []
    found = [seat.number for seat in seats if chosen in (_ALL, str(seat.number))]
    if not found:
        raise BadRequest("Choose the winner, a draw, or “Nobody wins”.")
    return found


def _game_page(number: int, chosen: str = _NOBODY, why: str = "", problem: str = "") -> str:
    with looking() as visit:
        game, seats = games.get_game(visit.session, number)
    choices = [
        (_NOBODY, "Nobody wins: the game is cancelled"),
        *((str(seat.number), f"{seat.name} wins") for seat in seats),
        (_ALL, "Draw between all players"),
    ]
    return render_template(
        "admin/game.html", game=game, choices=choices, chosen=chosen, why=why, problem=problem
    )

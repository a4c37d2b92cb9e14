"""Tournaments, and cancelling or ending them."""

from flask import render_template, request
from werkzeug.wrappers import Response

from server.admin import tournaments
from server.errors import BadRequest
from server.web.admin.access import admin_action, section
from server.web.admin.paging import Page
from server.web.shared.visits import acting, done, looking

pages = section("tournaments")


@pages.get("/tournaments")
def show() -> str:
    """List all tournaments, the latest first."""
    page = Page.asked()
    with looking() as visit:
        page = page.with_rows(tournaments.list_tournaments(visit.session, page.limit, page.skip))
    return render_template("admin/tournaments.html", found=page)


@pages.get("/tournaments/<int:number>")
def show_tournament(number: int) -> str:
    """Show a tournament and the form to end it."""
    return _tournament_page(number)


@pages.post("/tournaments/<int:number>")
def end(number: int) -> Response | tuple[str, int]:
    """Cancel a tournament, or end it before all games are played."""
    why = request.form.get("why", "")
    try:
        with acting() as visit:
            tournaments.end(admin_action(visit), number, why)
    except BadRequest as problem:
        return _tournament_page(number, why, str(problem)), 422
    return done(
        "The tournament has been ended, and its players are notified.",
        "admin.tournaments.show_tournament",
        number=number,
    )


def _tournament_page(number: int, why: str = "", problem: str = "") -> str:
    with looking() as visit:
        row = tournaments.get_tournament(visit.session, number)
    return render_template("admin/tournament.html", tournament=row, why=why, problem=problem)

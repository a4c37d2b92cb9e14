"""Pages for everybody: what Nabu is, what its games look like, and whether it is well."""

from flask import Blueprint, abort, redirect, render_template, url_for
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from werkzeug.wrappers import Response

from rules.registry import KINDS
from server.accounts.passkeys import site_of
from server.accounts.registration import SENTENCES, Registration, registration
from server.game.kinds import every_kind
from server.web.pictures import kept, picture
from server.web.visits import looking, services, visitor

pages = Blueprint("public", __name__)


@pages.get("/")
def home() -> Response | str:
    """What this is, and the ways in; for a player who is logged in, their games."""
    if visitor() is not None:
        return redirect(url_for("games.mine"), 303)
    return home_page()


def home_page(**kept: str) -> str:
    """The home page, with what stood in its forms and what is wrong with it."""
    with looking() as visit:
        mode = registration(visit.session)
    closed = mode is Registration.CLOSED
    return render_template(
        "home.html",
        kinds=every_kind(),
        refused=SENTENCES.get(mode, ""),
        closed=closed,
        teaches=services().settings.first_game,
        passkeys=site_of(services().settings.base_url) is not None,
        **kept,
    )


@pages.get("/kinds/<kind>.svg")
def board(kind: str) -> Response:
    """A picture of a game of this kind under way."""
    if kind not in KINDS:
        abort(404)
    return kept(picture(kind))


@pages.get("/health")
def health() -> Response:
    """Whether the pages work, for machines that watch them: 200 when the database answers, else 503."""
    try:
        with looking() as visit:
            visit.session.execute(text("SELECT 1"))
    except DBAPIError:
        return Response("the database does not answer\n", 503, content_type="text/plain; charset=utf-8")
    return Response("ok\n", content_type="text/plain; charset=utf-8")

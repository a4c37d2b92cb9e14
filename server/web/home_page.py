"""Public pages: the home page, pictures of the games, and health checks."""

from flask import Blueprint, abort, render_template, request
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection
from werkzeug.wrappers import Response

from rules.registry import RULES
from server.accounts.login.passkeys import site_of
from server.accounts.newcomers import SENTENCES, Registration, registration
from server.admin.health import health, without_database
from server.game.terms.game_types import every_game_type
from server.web.game.pictures import cached_response, picture
from server.web.shared.visits import looking, returned, services, visitor

pages = Blueprint("public", __name__)


@pages.get("/")
def home() -> Response | str:
    """Show the home page; redirect a player who is logged in to their games, or to the page where they were."""
    if visitor() is not None:
        return returned()
    return home_page()


def home_page(**kept: str) -> str:
    """Return the home page; `kept` are the values and errors of its forms."""
    with looking() as visit:
        mode = registration(visit.session)
    closed = mode is Registration.CLOSED
    return render_template(
        "home.html",
        game_types=every_game_type(),
        refused=SENTENCES.get(mode, ""),
        closed=closed,
        teaches=services().settings.first_game,
        passkeys=site_of(services().settings.base_url) is not None,
        **kept,
    )


@pages.get("/game-types/<game_type>.svg")
def board(game_type: str) -> Response:
    """Return a sample picture of a game."""
    if game_type not in RULES:
        abort(404)
    return cached_response(picture(game_type))


@pages.get("/healthz")
def alive() -> Response:
    """Return that this process is alive, and the visitor's IP address, which `nabu doctor` compares."""
    return _plain(f"alive\nyou are {request.remote_addr}\n")


@pages.get("/readyz")
def ready() -> Response:
    """Return the health for monitoring: 200 and warnings, or 503 with a line for each problem."""
    try:
        with looking() as visit:
            state = health(visit.session, visit.action.now)
            troubles, warnings = list(state.troubles()), list(state.warnings())
        services().probe.look()
    except (DBAPIError, NoConnection) as error:
        troubles = [without_database(error)]
    if troubles:
        return _plain("".join(f"{each.what}: {each.sentence}\n" for each in troubles), 503)
    return _plain("ready\n" + "".join(f"warning: {each.what}: {each.sentence}\n" for each in warnings))


def _plain(text: str, status: int = 200) -> Response:
    return Response(text, status, content_type="text/plain; charset=utf-8")

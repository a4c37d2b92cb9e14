"""The games and players that a player watches, and the unwatch link of each email about them."""

from flask import Blueprint, abort, render_template
from flask_wtf import CSRFProtect

from server.accounts.login.links import Watching
from server.game.spectators import watching
from server.store.models import Player
from server.web.shared.visits import Visit, acting, looking, services

pages = Blueprint("watching", __name__)
leaving = Blueprint("unwatching", __name__)


def exempt(protection: CSRFProtect) -> None:
    """Exempt the unwatch pages from CSRF tokens: mail programs post to them, with the secret in the link."""
    protection.exempt(leaving)


@pages.get("/watching")
def show() -> str:
    """List the games and players that the visitor watches."""
    with looking() as visit:
        return render_template("watching.html", watched=watching.watched_by(visit.session, visit.player))


@leaving.get("/unwatch/<secret>")
def ask(secret: str) -> str:
    """Ask for confirmation, because programs that follow links must not change anything."""
    with looking() as visit:
        return render_template("unwatch.html", what=_what(visit, _read(secret)), ended=False)


@leaving.post("/unwatch/<secret>")
def end(secret: str) -> str:
    """Stop watching a game or player."""
    with acting() as visit:
        found = _read(secret)
        watching.stop(visit.session, found.player, game=found.game, other=found.other)
        return render_template("unwatch.html", what=_what(visit, found), ended=True)


def _read(secret: str) -> Watching:
    return services().logins.read_unwatch(secret) or abort(404)


def _what(visit: Visit, found: Watching) -> str:
    """Return the public name of the watched game or player."""
    if found.game is not None:
        return f"game {found.game}"
    return visit.session.get_one(Player, found.other).name

"""The unsubscribe link of each email, for people and for mail programs (RFC 8058)."""

from flask import Blueprint, abort, render_template
from flask_wtf import CSRFProtect

from server.accounts import players
from server.store.models import Player
from server.web.shared.visits import Visit, acting, looking, services

pages = Blueprint("unsubscribe", __name__)


def exempt(protection: CSRFProtect) -> None:
    """Exempt these pages from CSRF tokens: mail programs post to them, with the secret in the link."""
    protection.exempt(pages)


@pages.get("/stop/<secret>")
def ask(secret: str) -> str:
    """Ask for confirmation, because programs that follow links must not stop anyone's email."""
    with looking() as visit:
        return render_template("stop.html", name=_player(visit, secret).name, stopped=False)


@pages.post("/stop/<secret>")
def stop(secret: str) -> str:
    """Stop all emails and notifications of a player; their games continue."""
    with acting() as visit:
        player = _player(visit, secret)
        players.want_nothing(visit.action, player)
        return render_template("stop.html", name=player.name, stopped=True)


def _player(visit: Visit, secret: str) -> Player:
    return services().logins.read_stop(visit.session, secret) or abort(404)

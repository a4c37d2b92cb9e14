"""The way out of all mail: a link in each mail, for people and for mail programs (RFC 8058)."""

from flask import Blueprint, abort, render_template
from flask_wtf import CSRFProtect

from server.accounts import players
from server.store.models import Player
from server.web.shared.visits import Visit, acting, looking, services

pages = Blueprint("unsubscribe", __name__)


def exempt(protection: CSRFProtect) -> None:
    """Let mail programs post without a token of ours: the link itself says who it is for."""
    protection.exempt(pages)


@pages.get("/stop/<secret>")
def ask(secret: str) -> str:
    """Ask for confirmation: programs that look at links must not stop anyone's mail."""
    with looking() as visit:
        return render_template("stop.html", name=_player(visit, secret).name, stopped=False)


@pages.post("/stop/<secret>")
def stop(secret: str) -> str:
    """No more mail, and no notices in browsers; games go on, and nothing else changes."""
    with acting() as visit:
        player = _player(visit, secret)
        players.want_nothing(visit.action, player)
        return render_template("stop.html", name=player.name, stopped=True)


def _player(visit: Visit, secret: str) -> Player:
    player = services().logins.read_stop(visit.session, secret)
    if player is None:
        abort(404)
    return player

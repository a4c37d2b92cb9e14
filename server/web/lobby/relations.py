"""Blocking and ignoring other players."""

from flask import Blueprint, abort, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from server.accounts import relations
from server.errors import BadRequest
from server.game.leaving import leave_everything
from server.web.shared.visits import acting

pages = Blueprint("relations", __name__)

_CHANGES = {
    "block": leave_everything.block,
    "unblock": relations.unblock,
    "ignore": relations.ignore,
    "unignore": relations.unignore,
}


@pages.post("/settings/players")
def change() -> Response:
    """Block or ignore a player, or undo it."""
    what = _CHANGES.get(request.form.get("what", ""))
    if what is None:
        abort(400)
    try:
        with acting() as visit:
            told = what(visit.action, visit.player, request.form.get("player", ""))
    except BadRequest as problem:
        told = str(problem)
    flash(told)
    return redirect(url_for("account.settings", _anchor="kept-away"), 303)

"""The page on which the owner of an account undoes a change that they did not make."""

from flask import Blueprint, abort, render_template

from server.accounts import access
from server.store.letters.account import AccountChanged
from server.web.shared.visits import PageResponse, acting, log_out, looking, services, visitor

pages = Blueprint("undoing", __name__)


@pages.get("/undo/<secret>")
def ask(secret: str) -> PageResponse:
    """Ask for confirmation, because programs that follow links must not undo anything."""
    changed = _read(secret)
    with looking() as visit:
        if not access.can_undo(visit.action, changed):
            return render_template("undo.html", state="over"), 410
        act = access.BY_NAME[changed.act]
        return render_template("undo.html", state="asked", done=act.done.format(changed.what), at=changed.at)


@pages.post("/undo/<secret>")
def undo(secret: str) -> PageResponse:
    """Undo the change and log the player out everywhere."""
    changed = _read(secret)
    with acting() as visit:
        player = access.undo(visit.action, changed)
    if player is None:
        return render_template("undo.html", state="over"), 410
    who = visitor()
    if who is not None and who.number == changed.player:
        log_out()
    act = access.BY_NAME[changed.act]
    return render_template(
        "undo.html",
        state="done",
        done=act.done.format(changed.what),
        at=changed.at,
        told=access.UNDONE,
        main=changed.main,
    )


def _read(secret: str) -> AccountChanged:
    return services().logins.read_undo(secret) or abort(404)

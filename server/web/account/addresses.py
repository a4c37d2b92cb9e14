"""The pages on which players add, remove and confirm their email addresses."""

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response

from server.accounts import account_changes, players
from server.actions.access import ADD_ADDRESS, MAKE_MAIN, REMOVE_ADDRESS
from server.errors import BadRequest
from server.game.leaving import account_deletion, data_export
from server.web.shared.fresh_login import check_fresh, is_fresh
from server.web.shared.visits import PageResponse, Visit, acting, actor, done, looking, services

pages = Blueprint("mailboxes", __name__)


@pages.get("/settings/addresses")
def show() -> str:
    """Show the visitor's addresses, and the changes that wait for confirmation."""
    with looking() as visit:
        return _page(visit)


_ACTIONS = {"add": ADD_ADDRESS, "main": MAKE_MAIN, "remove": REMOVE_ADDRESS}


@pages.post("/settings/addresses")
def change() -> PageResponse:
    """Add or remove an address, or make one the main address."""
    email, action = request.form.get("email", ""), _ACTIONS.get(request.form.get("do", ""), ADD_ADDRESS)
    try:
        with acting() as visit:
            check_fresh(visit, action.grants)
            told = action.carry_out(actor(visit), {"email": email}).sentence
    except BadRequest as problem:
        with looking() as visit:
            return _page(visit, email, str(problem)), 422
    return done(told, "mailboxes.show")


@pages.post("/settings/addresses/cancel")
def cancel() -> Response:
    """Cancel a change that waits for confirmation."""
    number = request.form.get("change", 0, type=int)
    with acting() as visit:
        for each in account_changes.waiting_changes(visit.session, visit.player, visit.action.now):
            if each.id == number:
                account_changes.cancel(each, visit.action.now)
    return done("The change has been cancelled.", "mailboxes.show")


@pages.get("/settings/data.json")
def data() -> Response:
    """Return all data of the visitor as a file."""
    with looking() as visit:
        text = data_export.own_data(visit.session, visit.action.sealer, visit.player)
    response = Response(text, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{data_export.FILE}"'
    return response


@pages.get("/confirm/<secret>")
def ask(secret: str) -> PageResponse:
    """Ask for confirmation, because programs that follow links must not confirm anything."""
    number, address = _read(secret)
    with looking() as visit:
        found = account_changes.waiting_at(visit.session, visit.action.now, number, address)
        if found is None:
            return render_template("confirm.html", state="answered"), 410
        change, player = found
        told = {"what": change.what, "email": change.email, "due_at": change.due_at, "name": player.name}
        return render_template("confirm.html", state="asked", at_new=address == change.email, **told)


@pages.post("/confirm/<secret>")
def answer(secret: str) -> PageResponse:
    """Confirm a change, or cancel it."""
    number, address = _read(secret)
    act = account_deletion.cancel if request.form.get("answer") == "no" else account_deletion.confirm
    try:
        with acting() as visit:
            told = act(visit.action, number, address)
    except BadRequest:
        return render_template("confirm.html", state="answered"), 410
    return render_template("confirm.html", state="done", told=told)


def _read(secret: str) -> tuple[int, str]:
    return services().logins.read_change(secret) or abort(404)


def _page(visit: Visit, written: str = "", problem: str = "") -> str:
    player = visit.player
    return render_template(
        "addresses.html",
        main=player.email,
        others=[
            (email, players.logs_in_from(visit.session, player, email))
            for email in players.addresses_of(visit.session, player)[1:]
        ],
        fresh=is_fresh(visit),
        waiting=[
            {"number": each.id, "what": each.what, "email": each.email, "due_at": each.due_at}
            for each in account_changes.waiting_changes(visit.session, player, visit.action.now)
        ],
        plain_address=services().settings.plain_address,
        written=written,
        problem=problem,
    )

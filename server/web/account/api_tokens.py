"""The page on which players create and revoke API tokens."""

from flask import Blueprint, render_template, request
from werkzeug.wrappers import Response

from server.accounts.login import api_tokens
from server.actions.access import ADD_TOKEN, REMOVE_TOKEN
from server.errors import BadRequest
from server.limits import MOST_TOKENS
from server.store.letters.letter import Letter
from server.web.shared.fresh_login import check_fresh, is_fresh
from server.web.shared.visits import PageResponse, acting, actor, carried_out, done, looking

pages = Blueprint("tokens", __name__, url_prefix="/settings/tokens")


@pages.get("")
def show() -> str:
    """List the visitor's tokens, without their secrets."""
    return _page()


@pages.post("")
def make() -> PageResponse:
    """Create a token and show it, only once, on a page that browsers do not store."""
    name = request.form.get("name", "")
    try:
        with acting() as visit:
            check_fresh(visit, ADD_TOKEN.grants)
            made = ADD_TOKEN.carry_out(actor(visit), {"name": name}).letter
    except BadRequest as problem:
        return _page(name, str(problem)), 422
    return _page(made=made)


@pages.post("/remove")
def remove() -> Response:
    """Revoke a token."""
    return done(carried_out(REMOVE_TOKEN, {"number": request.form.get("token", "")}), "tokens.show")


def _page(name: str = "", problem: str = "", made: Letter | None = None) -> str:
    with looking() as visit:
        rows = [
            {"number": each.number, "name": each.name, "made_at": each.made_at, "used_at": each.used_at}
            for each in api_tokens.list_tokens(visit.session, visit.player)
        ]
        return render_template(
            "tokens.html",
            rows=rows,
            most=MOST_TOKENS,
            fresh=is_fresh(visit),
            email=visit.player.email,
            name=name,
            problem=problem,
            made=made,
        )

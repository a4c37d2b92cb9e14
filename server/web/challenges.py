"""Challenging others to a game."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from rules.registry import KINDS
from server.accounts import players
from server.errors import BadRequest
from server.game import lobby, log, seeking, wanted
from server.game.acquaintances import acquaintances
from server.game.invited import Invited
from server.game.kinds import every_kind
from server.store.models import Game
from server.web.agreed import chosen, conditions, filled, gives_words, house_options, proposal_fields
from server.web.game_page import at_locked_game
from server.web.labels import AT_FORM
from server.web.visits import Visit, acting, looking, require_login, services

pages = Blueprint("challenges", __name__)

_MOST_SUGGESTED = 50


_HOW_IT_GOES_ON = {
    "running": "The game begins.",
    "open": "Your game is open to {whom}. It begins when all seats are taken.",
    "invited": "Your challenge is on its way. The game begins once everyone has accepted.",
}
"""By the state of a new game."""


@pages.get("/games/new")
def choose() -> str:
    """Which kind of game?"""
    require_login()
    return render_template("kinds.html", kinds=every_kind(), against=request.args.get("against"))


@pages.get("/games/new/<kind>")
def form(kind: str) -> str:
    """Against whom, and with which options?"""
    _check(kind)
    require_login()
    return _form(kind)


@pages.post("/games/new/<kind>/terms")
def terms(kind: str) -> str | tuple[str, int]:
    """The form again, with what is chosen and written there put into words."""
    _check(kind)
    require_login()
    return _form(kind, told=True)


@pages.post("/games/new/<kind>")
def challenge(kind: str) -> Response | tuple[str, int]:
    """Propose the game, to some or to whoever wants it; against the computer alone it begins at once."""
    _check(kind)
    try:
        with acting() as visit:
            game = _propose(visit, kind)
            number, told = log.identity(game), _HOW_IT_GOES_ON[game.state].format(whom=wanted.of(game).whom)
            at_locked_game(visit, number)
    except BadRequest as problem:
        return _form(kind, problem=problem.told(AT_FORM)), 422
    flash(told)
    return redirect(url_for("game.show", number=number), 303)


def _check(kind: str) -> None:
    if kind not in KINDS:
        abort(404)


def _propose(visit: Visit, kind: str) -> Game:
    written = request.form.get("opponents", "")
    options = {**chosen(KINDS[kind]), **filled(house_options(KINDS[kind])), **filled(conditions())}
    if "anybody" in request.form:
        if written.strip():
            raise BadRequest("To open the game to others, leave “Against” empty.")
        return seeking.seek(visit.action, visit.player, kind, options)
    others = lobby.opponents(visit.action, written, services().settings.plain_address)
    if "computer" in request.form:
        others.append(Invited(players.add_computer(visit.action)))
    own_words = gives_words()
    return lobby.challenge(visit.action, visit.player, others, kind, options, own_words=own_words)


def _form(kind: str, problem: str = "", *, told: bool = False) -> str:
    rules = KINDS[kind]
    with looking() as visit:
        fields = proposal_fields(visit, rules, unrated=_asks_computer(), told=told)
        known = acquaintances(visit.session, visit.player, _MOST_SUGGESTED)
    return render_template(
        "challenge.html",
        kind=next(view for view in every_kind() if view.name == kind),
        suggested=[*known, players.COMPUTER],
        opponents=request.form.get("opponents", request.args.get("against", "")),
        problem=problem,
        wanted=conditions(),
        **fields,
    )


def _asks_computer() -> bool:
    """Whether the computer is among those who are challenged."""
    names = request.form.get("opponents", "").split(",")
    return "computer" in request.form or any(players.is_computer(name.strip()) for name in names)

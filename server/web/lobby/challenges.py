"""Challenging others to a game."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from rules.registry import RULES
from server.accounts import computer_players
from server.accounts.computer_characters import COMPUTER_PLAYERS, USUAL
from server.actions import challenges
from server.actions.action import Outcome
from server.errors import BadRequest
from server.game.lobby.computer_joiners import COMPANY_CHOICE
from server.game.log import log
from server.game.ratings import ratings
from server.game.ratings.ratings import pace_of
from server.game.terms.game_types import every_game_type, game_type_view
from server.game.terms.terms import usual
from server.game.views.profile import acquaintances
from server.store.models import Player
from server.web.game.game_visit import at_locked_game
from server.web.lobby.options_form import (
    chosen,
    conditions,
    filled,
    gives_words,
    house_options,
    proposal_fields,
)
from server.web.shared.labels import AT_FORM
from server.web.shared.visits import Visit, acting, actor, looking, require_login

pages = Blueprint("challenges", __name__)

_MOST_SUGGESTED = 50
_PERSON, _ANYONE, _COMPUTER = "person", "anyone", "computer"
_WHOM = {
    _PERSON: "A person, by name or email address",
    _ANYONE: "Anyone: the game is open to others",
    _COMPUTER: "A computer player",
}
"""The opponents to choose from, with their labels."""
_STRENGTH = "strength"
"""The field for the computer player."""


@pages.get("/games/new")
def choose() -> str:
    """Show the games to choose from."""
    require_login()
    return render_template("game_types.html", game_types=every_game_type(), against=request.args.get("against"))


@pages.get("/games/new/<game_type>")
def form(game_type: str) -> str:
    """Show the form for a challenge."""
    _check(game_type)
    require_login()
    return _form(game_type)


@pages.post("/games/new/<game_type>/terms")
def terms(game_type: str) -> str | tuple[str, int]:
    """Show the form again, with the chosen terms in words."""
    _check(game_type)
    require_login()
    return _form(game_type, told=True)


@pages.post("/games/new/<game_type>")
def challenge(game_type: str) -> Response | tuple[str, int]:
    """Challenge players, or open the game to others. Against computer players only, it begins immediately."""
    _check(game_type)
    try:
        with acting() as visit:
            outcome, number = _propose(visit, game_type)
            at_locked_game(visit, number)
    except BadRequest as problem:
        return _form(game_type, problem=problem.worded(AT_FORM)), 422
    flash(outcome.sentence)
    return redirect(url_for("game.show", number=number), 303)


def _check(game_type: str) -> None:
    if game_type not in RULES:
        abort(404)


def _propose(visit: Visit, game_type: str) -> tuple[Outcome, int]:
    """Propose the game of the form; return the outcome and the number of the game."""
    opponents = _opponents(game_type)
    options = {**chosen(RULES[game_type]), **filled(house_options(RULES[game_type])), **filled(conditions())}
    values: dict[str, object] = {"game_type": game_type, "options": options}
    visitor = actor(visit)
    if _whom() == _ANYONE:
        outcome = challenges.SEEK.carry_out(visitor, values)
    else:
        if _whom() == _COMPUTER:
            opponents.append(computer_players.member(visit.action, _strength()).name)
        values |= {"opponents": opponents, "own_words": gives_words()}
        outcome = challenges.CHALLENGE.carry_out(visitor, values)
    return outcome, 0 if outcome.game is None else log.id_of(outcome.game)


def _opponents(game_type: str) -> list[str]:
    """Return the names in the form, if it shows their field for the chosen sort of opponents."""
    if _whom() == _ANYONE or (_whom() == _COMPUTER and game_type_view(game_type).players == "2"):
        return []
    return [name.strip() for name in request.form.get("opponents", "").split(",") if name.strip()]


def _form(game_type: str, problem: str = "", *, told: bool = False) -> str:
    rules = RULES[game_type]
    with looking() as visit:
        fields = proposal_fields(visit, rules, unrated=False, told=told)
        known = acquaintances(visit.session, visit.player, _MOST_SUGGESTED)
        computers = computer_players.list_computers(visit.session)
        companies = _companies(visit.player)
        strength = request.form.get(_STRENGTH) or str(_equal(visit, game_type))
    return render_template(
        "challenge.html",
        game_type=game_type_view(game_type),
        suggested=[*known, *(each.name for each in computers)],
        computers=[(str(each.level), f"{each.name}, level {each.level}") for each in computers],
        strength=strength,
        companies=companies,
        whom_choices=_WHOM.items(),
        whom=_whom(),
        opponents=request.form.get("opponents", request.args.get("against", "")),
        problem=problem,
        wanted=conditions(),
        **fields,
    )


def _whom() -> str:
    """Return the chosen sort of opponents."""
    chosen = request.form.get("whom", _PERSON)
    return chosen if chosen in _WHOM else _PERSON


def _strength() -> int:
    """Return the level of the chosen computer player; by default that of the usual one."""
    chosen = request.form.get(_STRENGTH, "")
    known = {str(each.level): each.level for each in COMPUTER_PLAYERS}
    if chosen and chosen not in known:
        raise BadRequest("Choose one of the computer players.")
    return known.get(chosen, USUAL)


def _equal(visit: Visit, game_type: str) -> int:
    """Return the level of the computer player nearest to the visitor's rating, at the usual pace."""
    pace = pace_of(usual(simultaneous=RULES[game_type].simultaneous))
    return ratings.levels_by_distance(visit.session, visit.player.id or 0, game_type, pace)[0]


def _companies(player: Player) -> list[tuple[str, str]]:
    """Return the choices for computer players joining the game; "" is the player's general setting."""
    always = COMPANY_CHOICE.chosen_by(player)
    ways = sorted(COMPANY_CHOICE.words, key=lambda way: way[0] != always)
    return [("" if word == always else word, label) for word, label in ways]

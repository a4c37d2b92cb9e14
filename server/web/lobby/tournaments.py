"""Tournaments: lists, the page of each, and forms to create, join, leave or cancel one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from rules.registry import RULES
from server.actions.action import Action, TournamentActor
from server.actions.registry import TOURNAMENT_ACTIONS
from server.actions.tournaments import MAKE
from server.clock import controls
from server.errors import BadRequest
from server.game.terms.game_types import every_game_type, game_type_view
from server.game.terms.terms import PACES
from server.pairing.standings import TIE_BREAKS
from server.store.models import Tournament
from server.tournaments import byes, signup, views
from server.tournaments.lists import STATES, ListedTournament, list_tournaments
from server.tournaments.plan import FORMS, USUAL, option_names
from server.web.game.page_updates import live_tournament
from server.web.lobby.options_form import chosen, filled, house_options, options_of
from server.web.shared.labels import AT_FORM
from server.web.shared.paging import LAST_PAGE, asked_page
from server.web.shared.visits import about_actor, acting, actor, looking, require_login, visitor

pages = Blueprint("tournaments", __name__)

_FEW, _PAGE = 6, 24


@dataclass(frozen=True)
class _List:
    """Some tournaments in one state; `more` if there are others."""

    state: str
    title: str
    rows: list[ListedTournament]
    more: bool


@pages.get("/tournaments")
def show_all() -> str:
    """Show some tournaments in each state, or all in one state in pages (`?state=over`)."""
    state = request.args.get("state", "")
    if state not in ("", *STATES):
        abort(404)
    page = asked_page("page") if state else 1
    size = _PAGE if state else _FEW
    with looking() as visit:
        reader = visit.player if visitor() else None
        lists = [
            _List(each, title, rows[:size], len(rows) > size)
            for each, title in STATES.items()
            if state in ("", each)
            and (rows := list_tournaments(visit.session, reader, each, size + 1, size * (page - 1)))
        ]
    more = bool(state and lists and lists[0].more and page < LAST_PAGE)
    return render_template("tournaments.html", lists=lists, state=state, page=page, more=more)


@pages.get("/tournaments/<int:number>")
def show(number: int) -> str:
    """Show a tournament with the games of its last round or of another (`?round=2`)."""
    reader = visitor()
    with looking() as visit:
        if visit.session.get(Tournament, number) is None:
            abort(404)
        view = views.tournament_view(
            visit.session, number, None if reader is None else reader.number, visit.action.now
        )
        asked = reader is not None and view.can_enter
        avoided = signup.avoided(visit.session, visit.player, number) if asked else []
        friendly = None if reader is None else byes.friendly(visit.session, number, reader.number)
        live = live_tournament(visit.session, number)
    shown = request.args.get("round", view.line.round, type=int)
    if shown not in view.rounds:
        shown = max(view.rounds, default=0)
    return render_template(
        "tournament.html", view=view, shown=shown, avoided=avoided, friendly=friendly, live=live
    )


@pages.get("/tournaments/new")
def choose() -> str:
    """Show the games to choose from for a new tournament."""
    require_login()
    return render_template("tournament_game_types.html", game_types=every_game_type())


@pages.get("/tournaments/new/<game_type>")
def form(game_type: str) -> str:
    """Show the form for a new tournament."""
    _check(game_type)
    require_login()
    return _form(game_type)


@pages.post("/tournaments/new/<game_type>")
def make(game_type: str) -> Response | tuple[str, int]:
    """Create a tournament and open it for sign-up."""
    _check(game_type)
    written = _plan()
    try:
        if written["format"] not in FORMS:
            raise BadRequest("Choose a format.")
        names = option_names(FORMS[written["format"]])
        plan = {name: value for name, value in written.items() if name in names}
        options = {**chosen(RULES[game_type]), **filled(house_options(RULES[game_type])), **filled(plan)}
        with acting() as visit:
            values = {"name": request.form.get("name", ""), "game_type": game_type, "options": options}
            outcome = MAKE.carry_out(actor(visit), values)
    except BadRequest as problem:
        return _form(game_type, problem.worded(AT_FORM)), 422
    flash(outcome.sentence)
    return redirect(url_for("tournaments.show", number=outcome.tournament), 303)


def _check(game_type: str) -> None:
    if game_type not in RULES:
        abort(404)


def _form_of(action: Action[TournamentActor, Any]) -> Callable[[int], Response]:
    """Return a view that carries an action out, then shows the tournament with the result or the error."""

    def act(number: int) -> Response:
        require_login()
        try:
            with acting() as visit:
                visitor = TournamentActor(**about_actor(visit), tournament=number)
                sentence = action.carry_out(visitor, {}).sentence
        except BadRequest as problem:
            sentence = str(problem)
        flash(sentence)
        return redirect(url_for("tournaments.show", number=number), 303)

    return act


for each in TOURNAMENT_ACTIONS:
    pages.add_url_rule(f"/tournaments/<int:number>/{each.name}", each.name, _form_of(each), methods=["POST"])


def _plan() -> dict[str, str]:
    """Return the plan of the form, with defaults."""
    written = {name: request.form.get(name, usual).strip() for name, usual in USUAL.items()}
    ties = ",".join(name for name in request.form.getlist("ties") if name)
    return written | {"ties": ties or USUAL["ties"]}


def _form(game_type: str, problem: str = "") -> str:
    rules = RULES[game_type]
    house = house_options(rules)
    return render_template(
        "tournament_form.html",
        game_type=game_type_view(game_type),
        name=request.form.get("name", ""),
        forms_=list(FORMS.values()),
        plan=_plan(),
        ties=[(tie.name, f"{tie.title}: {tie.about}") for tie in TIE_BREAKS.values()],
        options=options_of(rules),
        house=house,
        paces=PACES,
        other_time="" if house["time"] in dict(PACES) else house["time"],
        time_hint=controls.hint(simultaneous=rules.simultaneous),
        problem=problem,
    )

"""The form fields for the options of a game: those of its rules, and those of all games."""

from dataclasses import dataclass, replace
from typing import Any

from flask import request

from rules.errors import BadData
from rules.game import Json, Rules
from server.accounts import players
from server.clock import controls
from server.clock.terms import MISSES
from server.errors import BadRequest, refusing
from server.game.lobby import entry_conditions, recurring_games
from server.game.terms.terms import PACES, option_names, terms_of_options, usual
from server.web.shared.labels import AT_FORM
from server.web.shared.visits import Visit

_FIELD = "option-"


@dataclass(frozen=True)
class OptionView:
    """An option on the form: its name, its field's name, its chosen value, a description and all values."""

    name: str
    field: str
    value: str
    about: str
    choices: list[tuple[str, str]]


@dataclass(frozen=True)
class Said:
    """The terms in words: the first deadlines after an introductory sentence, and all terms.

    If the terms are not valid, only the `problem`.
    """

    deadlines: list[str]
    words: list[str]
    problem: str = ""


def proposal_fields(
    visit: Visit, rules: Rules[Any, Any], agreed: Json | None = None, *, unrated: bool, told: bool
) -> dict[str, Any]:
    """Return the values for `_proposal.html`: from the form, from terms `agreed` before, or the defaults.

    `unrated`: the game is not rated. `told`: show all terms in words.
    """
    written = house_options(rules, agreed)
    other_time = "" if written["time"] in dict(PACES) else written["time"]
    return {
        "options": options_of(rules, agreed),
        "written": written,
        "paces": PACES,
        "other_time": other_time,
        "more": bool(other_time) or gives_words() or _is_unusual(rules, written),
        "simultaneous": rules.simultaneous,
        "misses": [(count, count) for count in MISSES],
        "time_hint": controls.hint(simultaneous=rules.simultaneous),
        "said": _said(visit, rules, written, unrated=unrated),
        "told": told,
        "luck": "mine" if gives_words() else "none",
    }


def gives_words() -> bool:
    """Return whether the form asks to give words for luck."""
    return request.form.get("luck") == "mine"


def house_options(rules: Rules[Any, Any], agreed: Json | None = None) -> dict[str, str]:
    """Return the options of all games: from the form, as `agreed` before, or the defaults."""
    default = {**usual(simultaneous=rules.simultaneous), **(agreed or {})}
    names = option_names(simultaneous=rules.simultaneous)
    written = {name: request.form.get(name, default[name]).strip() for name in names}
    other = request.form.get("other-time", "").strip()
    return written | {"time": other} if other else written


def conditions() -> dict[str, str]:
    """Return the conditions for joining an open game and the number of such games, as written in the form."""
    return {
        name: request.form.get(name, "").strip() for name in (*entry_conditions.NAMES, recurring_games.ALWAYS)
    }


def chosen(rules: Rules[Any, Any]) -> dict[str, str]:
    """Return the chosen options of the rules."""
    return filled({name: request.form.get(_FIELD + name, "").strip() for name in rules.offered})


def filled(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields that are not empty."""
    return {name: value for name, value in fields.items() if value}


def options_of(rules: Rules[Any, Any], agreed: Json | None = None) -> list[OptionView]:
    """Return the options of the rules: as chosen in the form, as `agreed` before, or with their defaults."""
    default = {**rules.options({}), **(agreed or {})}
    return [
        OptionView(
            name=name,
            field=_FIELD + name,
            value=request.form.get(_FIELD + name, str(default[name])),
            about=option.about,
            choices=option.choices(),
        )
        for name, option in rules.offered.items()
    ]


def _is_unusual(rules: Rules[Any, Any], written: dict[str, str]) -> bool:
    """Return whether any option except the time differs from its default."""
    default = usual(simultaneous=rules.simultaneous)
    return any(value != default[name] for name, value in written.items() if name != "time")


def _said(visit: Visit, rules: Rules[Any, Any], written: dict[str, str], *, unrated: bool) -> Said:
    """Return the written terms in words, with the deadlines if the game began now."""
    now, zone = visit.action.now, players.zone(visit.player)
    try:
        settled, _ = terms_of_options(filled(written), zone, simultaneous=rules.simultaneous)
        with refusing(BadData):
            seats = rules.seats(rules.options(chosen(rules)))
    except BadRequest as problem:
        return Said([], [], problem.worded(AT_FORM))
    if unrated:
        settled = replace(settled, rated=None)
    return Said(settled.example(now, zone), settled.in_words(now, len(seats), rules.obliged))

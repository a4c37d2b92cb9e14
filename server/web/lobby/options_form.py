"""What a form says of the games that somebody proposes: the options of their rules, and those of the house."""

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
    """An option on the form: its name, its field's name, what is chosen there, what it is, and its values."""

    name: str
    field: str
    value: str
    about: str
    choices: list[tuple[str, str]]


@dataclass(frozen=True)
class Said:
    """The terms in words: all that holds, and the first deadlines, with the sentence that announces them.

    If something is wrong with them, only that.
    """

    deadlines: list[str]
    words: list[str]
    problem: str = ""


def proposal_fields(
    visit: Visit, rules: Rules[Any, Any], agreed: Json | None = None, *, unrated: bool, told: bool
) -> dict[str, Any]:
    """What `_proposal.html` shows: what is written there, or was `agreed` before, or is usual.

    `unrated` says that the game counts for nobody, `told` that all terms are to be put into words.
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
    """Whether whoever proposes the game wants to be asked for words for luck."""
    return request.form.get("luck") == "mine"


def house_options(rules: Rules[Any, Any], agreed: Json | None = None) -> dict[str, str]:
    """What is agreed besides the options, as written, as it was `agreed` before, or by default."""
    default = {**usual(simultaneous=rules.simultaneous), **(agreed or {})}
    names = option_names(simultaneous=rules.simultaneous)
    written = {name: request.form.get(name, default[name]).strip() for name in names}
    other = request.form.get("other-time", "").strip()
    return written | {"time": other} if other else written


def conditions() -> dict[str, str]:
    """Whom an open game is to want, and how many of these at once, as written."""
    return {
        name: request.form.get(name, "").strip() for name in (*entry_conditions.NAMES, recurring_games.ALWAYS)
    }


def chosen(rules: Rules[Any, Any]) -> dict[str, str]:
    """The options of the rules that are chosen."""
    return filled({name: request.form.get(_FIELD + name, "").strip() for name in rules.offered})


def filled(fields: dict[str, str]) -> dict[str, str]:
    """Those that are not empty."""
    return {name: value for name, value in fields.items() if value}


def options_of(rules: Rules[Any, Any], agreed: Json | None = None) -> list[OptionView]:
    """Every option of the rules, as chosen, as it was `agreed` before, or by default."""
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
    """Whether anything but the time differs from what is usual."""
    default = usual(simultaneous=rules.simultaneous)
    return any(value != default[name] for name, value in written.items() if name != "time")


def _said(visit: Visit, rules: Rules[Any, Any], written: dict[str, str], *, unrated: bool) -> Said:
    """What the written terms mean for the visitor, if the game began now."""
    now, zone = visit.action.now, players.zone(visit.player)
    try:
        settled, _ = terms_of_options(filled(written), zone, simultaneous=rules.simultaneous)
        with refusing(BadData):
            rules.options(chosen(rules))
    except BadRequest as problem:
        return Said([], [], problem.worded(AT_FORM))
    if unrated:
        settled = replace(settled, rated=None)
    return Said(settled.example(now, zone), settled.in_words(now, rules.obliged))

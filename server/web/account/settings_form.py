"""The form for the settings of a player."""

from collections.abc import Mapping
from dataclasses import dataclass

from flask import request

from server.actions.action import Action, Actor
from server.actions.preferences import CHOOSE, RENAME, ValueArguments
from server.errors import BadRequest
from server.game.preferences.form_fields import Selection, Several, Switch, TextField
from server.game.preferences.preferences import PREFERENCES, Preference
from server.web.shared.visits import Visit, actor

_SECTIONS = {
    "account": "Profile",
    "time": "Clock",
    "email": "Emails and notifications",
    "messages": "Emails and notifications",
}
"""The sections of preferences, by their topics in the help."""
_OTHERS = "Boards and games"


class Mistakes(Exception):
    """Settings that are not valid: a sentence for the player by the name of each field."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__()
        self.problems = problems


@dataclass(frozen=True)
class Field:
    """A field of the form: `sort` is "text", "list", or "several" for checkboxes.

    `value` is the text in the field, `was` the stored setting. `choices` are pairs of a value and its label;
    for a text they are suggestions.
    """

    sort: str
    name: str
    label: str
    hint: str
    was: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    problem: str = ""
    examples: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Section:
    """A part of the form that can be folded."""

    title: str
    fields: list[Field]

    @property
    def has_problem(self) -> bool:
        """Return whether a field in it is not valid."""
        return any(field.problem for field in self.fields)


def changed() -> dict[str, str]:
    """Return the changed values of the submitted form, by the names of their fields."""
    sent = {name: _sent(name) for name in _actions() if name in request.form}
    return {name: text for name, text in sent.items() if text != request.form.get(f"was-{name}")}


def store(visit: Visit, texts: Mapping[str, str]) -> list[str]:
    """Store all changes and return a sentence for each. Raises Mistakes, which must roll back all of them."""
    told, problems = [], {}
    for name, action in _actions().items():
        if name not in texts:
            continue
        try:
            values = {"value": _value(name, texts[name])}
            told.append(action.carry_out(actor(visit), values).sentence)
        except BadRequest as problem:
            problems[name] = str(problem)
    if problems:
        raise Mistakes(problems)
    return told


def sections(visit: Visit, written: Mapping[str, str], problems: Mapping[str, str]) -> list[Section]:
    """Return the fields of the form with the visitor's settings, or with the values `written` before."""
    name = visit.player.name
    first = Field(
        sort="text",
        name="name",
        label="Name",
        hint="The name that other players see.",
        was=name,
        value=written.get("name", name),
        problem=problems.get("name", ""),
    )
    found: dict[str, list[Field]] = {title: [] for title in (*_SECTIONS.values(), _OTHERS)}
    found[_SECTIONS["account"]].append(first)
    for each in _preferences():
        title = _SECTIONS.get(each.topic, _OTHERS)
        found[title].append(_field(visit, each, written, problems.get(each.name, "")))
    return [Section(title, fields) for title, fields in found.items() if fields]


def _field(visit: Visit, preference: Preference, written: Mapping[str, str], problem: str) -> Field:
    form, name = preference.form, preference.name
    examples: tuple[tuple[str, str], ...] = ()
    was = form.value(visit.player)
    match form:
        case TextField():
            sort, hint = "text", f"{form.hint} {form.state(visit.action, visit.player)}".strip()
            choices, examples = tuple((text, text) for text in form.suggested), form.examples
        case Switch():
            sort, hint, choices = "list", form.hint, (("on", form.on), ("off", form.off))
        case Selection(choice):
            hint = choice.hint or f"{choice.help[:1].upper()}{choice.help[1:]}."
            sort, choices = "list", choice.words
        case Several():
            sort, hint, choices = "several", form.hint, form.choices
    value = written.get(name, was)
    return Field(sort, name, form.label, hint, was, value, choices, problem, examples)


def _preferences() -> list[Preference]:
    return sorted(PREFERENCES, key=lambda preference: preference.rank)


def _actions() -> dict[str, Action[Actor, ValueArguments]]:
    """Return the actions that store each field, in the order of the form."""
    return {"name": RENAME, **{each.name: CHOOSE[each.name] for each in _preferences()}}


def _value(name: str, text: str) -> str:
    """Return the text of a field as the argument of its command; an emptied one may mean “off”."""
    form = next((each.form for each in PREFERENCES if each.name == name), None)
    return text.strip() or (form.when_empty if isinstance(form, TextField) else "")


def _sent(name: str) -> str:
    """Return the submitted value of a field; for checkboxes, all ticked ones (the first value is "none")."""
    first, *ticked = request.form.getlist(name)
    return ", ".join(ticked) or first

"""What a form says of the games that somebody proposes: the options of their kind, and those of the house."""

from dataclasses import dataclass
from typing import Any

from flask import request

from rules.game import Kind
from server.game.terms import option_names, usual

_FIELD = "option-"


@dataclass(frozen=True)
class OptionView:
    """An option on the form: its name, its field's name, what is chosen there, what it is, and its values."""

    name: str
    field: str
    value: str
    about: str
    choices: list[tuple[str, str]]


def house_options(rules: Kind[Any, Any]) -> dict[str, str]:
    """What is agreed besides the options, as written or by default."""
    default = usual(simultaneous=rules.simultaneous)
    names = option_names(simultaneous=rules.simultaneous)
    written = {name: request.form.get(name, default[name]).strip() for name in names}
    other = request.form.get("other-time", "").strip()
    return written | {"time": other} if other else written


def chosen(rules: Kind[Any, Any]) -> dict[str, str]:
    """The options of the kind that are chosen."""
    return filled({name: request.form.get(_FIELD + name, "").strip() for name in rules.offered})


def filled(fields: dict[str, str]) -> dict[str, str]:
    """Those that are not empty."""
    return {name: value for name, value in fields.items() if value}


def options_of(rules: Kind[Any, Any]) -> list[OptionView]:
    """Every option of the kind, as chosen or by default."""
    default = rules.options({})
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

"""Settings from where the administrator wrote them, and all that is wrong with them in sentences.

Names of settings that do not exist are wrong, too: what was meant to be set would quietly keep its default.
"""

import os
from collections.abc import Set
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values
from pydantic import ValidationError

from server.settings import Settings

_PREFIX = "NABU_"
_NO_SETTINGS = {"NABU_CONFIG"}
"""What begins like a setting, but is not one."""
_ALIKE = 0.9
"""Names more alike than this are the same one, misspelt; NABU_PORT is not that close to any."""


class BadSettings(Exception):
    """Settings that cannot be used; the message has a line for each, saying what would be right."""


def load(file: Path | None = None, /, **given: str) -> Settings:
    """The settings of the environment and of `file`; `given` values win. Raises BadSettings."""
    if file is not None and not (file.is_file() and os.access(file, os.R_OK)):
        raise BadSettings(f"The file of settings, {file}, is not there or cannot be read.")
    try:
        wrong = misspelt(_names(), file)
    except UnicodeDecodeError:
        raise BadSettings(f"The file of settings, {file}, is not UTF-8 text.") from None
    try:
        settings = Settings(_env_file=file, **given)  # type: ignore[arg-type, call-arg]
    except ValidationError as error:
        raise BadSettings("\n".join([*wrong, *map(_sentence, error.errors())])) from None
    if wrong:
        raise BadSettings("\n".join(wrong))
    return settings


def misspelt(known: Set[str], file: Path | None) -> list[str]:
    """A sentence for each unknown name `NABU_…` in the file, and for each misspelt one in the environment.

    Raises UnicodeDecodeError for a file that is no text.
    """
    written = {} if file is None else dict.fromkeys(_unknown(dotenv_values(file).keys(), known), f"in {file}")
    found = {name: "in the environment" for name in _unknown(os.environ.keys(), known) if _meant(name, known)}
    return [
        f"{name}, {where}, is not a setting. {_advice(name, known)}"
        for name, where in (found | written).items()
    ]


def strange_names() -> list[str]:
    """The names `NABU_…` in the environment that are close to no setting: they are meant for something else.

    Kubernetes and Docker set such as NABU_PORT and NABU_SERVICE_HOST beside a service called `nabu`.
    """
    known = _names()
    return [name for name in _unknown(os.environ.keys(), known) if not _meant(name, known)]


def _names() -> set[str]:
    return {f"NABU_{name.upper()}" for name in Settings.model_fields}


def _sentence(detail: object) -> str:
    assert isinstance(detail, dict)  # noqa: S101 - pydantic's errors are dicts; the type is private
    name = str(detail["loc"][0])
    variable = f"NABU_{name.upper()}"
    field = Settings.model_fields[name]
    if detail["type"] == "missing":
        return f"{variable} is not set. {field.description}"
    return f"{variable}: {str(detail['msg']).removeprefix('Value error, ')}. {field.description}"


def _unknown(names: Set[str], known: Set[str]) -> list[str]:
    there = known | _NO_SETTINGS
    return [name for name in names if name.upper().startswith(_PREFIX) and name.upper() not in there]


def _advice(name: str, known: Set[str]) -> str:
    meant = _meant(name, known)
    return f"Did you mean {meant}?" if meant else "docs/settings.md lists all settings."


def _meant(name: str, known: Set[str]) -> str | None:
    """The known name that is meant; None if none is close enough."""
    return next(iter(get_close_matches(name.upper(), sorted(known), n=1, cutoff=_ALIKE)), None)

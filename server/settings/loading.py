"""Load the settings from the environment and a file, and report all mistakes in them in sentences.

An unknown name is a mistake, too: otherwise the setting that was meant would silently keep its default.
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
"""Variables that begin like a setting but are not one."""
_ALIKE = 0.9
"""The similarity from which an unknown name counts as misspelt; NABU_PORT is less similar to all settings."""


class BadSettings(Exception):
    """The settings cannot be used; the message has one line for each, with the correct form."""


def load(file: Path | None = None, /, **given: str) -> Settings:
    """Return the settings from the environment and `file`, overridden by `given`. Raises BadSettings."""
    if file is not None and not (file.is_file() and os.access(file, os.R_OK)):
        raise BadSettings(f"The settings file {file} does not exist or cannot be read.")
    try:
        wrong = misspelt(_names(), file)
    except UnicodeDecodeError:
        raise BadSettings(f"The settings file {file} is not UTF-8 text.") from None
    try:
        settings = Settings(_env_file=file, **given)  # type: ignore[arg-type, call-arg]
    except ValidationError as error:
        raise BadSettings("\n".join([*wrong, *map(_sentence, error.errors())])) from None
    if wrong:
        raise BadSettings("\n".join(wrong))
    return settings


def misspelt(known: Set[str], file: Path | None) -> list[str]:
    """Return a sentence for each unknown name `NABU_…` in the file and each misspelt one in the environment.

    Raises UnicodeDecodeError if the file is not text.
    """
    written = {} if file is None else dict.fromkeys(_unknown(dotenv_values(file).keys(), known), f"in {file}")
    found = {name: "in the environment" for name in _unknown(os.environ.keys(), known) if _meant(name, known)}
    return [
        f"{name}, {where}, is not a setting. {_advice(name, known)}"
        for name, where in (found | written).items()
    ]


def strange_names() -> list[str]:
    """Return the names `NABU_…` in the environment that resemble no setting; other programs set them.

    Kubernetes and Docker, for example, set NABU_PORT and NABU_SERVICE_HOST for a service called `nabu`.
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
    """Return the known name that is most similar; None if none is similar enough."""
    return next(iter(get_close_matches(name.upper(), sorted(known), n=1, cutoff=_ALIKE)), None)

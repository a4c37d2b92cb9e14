"""Settings from where the administrator wrote them, and all that is wrong with them in sentences."""

import os
from pathlib import Path

from pydantic import ValidationError

from server.settings import Settings
from server.settings.misspelt import misspelt, strange


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


def strange_names() -> list[str]:
    """The names `NABU_…` in the environment that are close to no setting: they are meant for something else."""
    return strange(_names())


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

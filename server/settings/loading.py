"""Load the settings from the environment and a file, and report all mistakes in them together.

An unknown name is a mistake, too: otherwise the setting that was meant would silently keep its default.
"""

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from server.settings import Settings
from server.settings.errors import example, printable, variable, wrong_value

_PREFIX = "NABU_"
_NO_SETTINGS = {"NABU_CONFIG"}
"""Variables that begin like a setting but are not one."""
_ORCHESTRATION = re.compile(
    r"NABU_(?:[A-Z0-9_]+_)?"
    r"(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_[0-9]+_(?:TCP|UDP|SCTP)(?:_[A-Z]+)?)?)"
    r"|NABU_(?:NAME|ENV_.+)"
)
"""Variables that Kubernetes and Docker set in every container beside a service called `nabu` or `nabu-…`."""
_RENAMED = {"NABU_OPERATOR": "NABU_ADMINISTRATOR"}
_ALIKE = 0.8
"""The similarity from which a setting is suggested for an unknown name."""


class BadSettings(Exception):
    """The settings cannot be used; the message has one line for each, with the correct form."""


def load(file: Path | None = None, /, **given: str) -> Settings:
    """Return the settings from the environment and `file`, overridden by `given`. Raises BadSettings."""
    if file is not None and not (file.is_file() and os.access(file, os.R_OK)):
        raise BadSettings(f"The settings file {file} does not exist or cannot be read.")
    try:
        unknown = list(unknown_names(Settings, file))
    except UnicodeDecodeError:
        raise BadSettings(f"The settings file {file} is not UTF-8 text.") from None
    try:
        settings = Settings(_env_file=file, **given)  # type: ignore[arg-type, call-arg]
    except ValidationError as error:
        raise BadSettings("\n".join([*unknown, *map(wrong_value, error.errors())])) from None
    if unknown:
        raise BadSettings("\n".join(unknown))
    return settings


def unknown_names(settings: type[Settings], file: Path | None) -> Iterator[str]:
    """Yield a sentence for each name `NABU_…` that is no setting. Raises UnicodeDecodeError."""
    known = {variable(name): field for name, field in settings.model_fields.items()}
    in_file = {} if file is None else dotenv_values(file, interpolate=False)
    for name, value in {**os.environ, **in_file}.items():
        upper = name.upper()
        is_ours = name in in_file or not _ORCHESTRATION.fullmatch(upper)
        if upper.startswith(_PREFIX) and is_ours and upper not in known.keys() | _NO_SETTINGS:
            yield _unknown(name, value or "", known)


def _unknown(name: str, value: str, known: Mapping[str, FieldInfo]) -> str:
    alike = get_close_matches(name.upper(), sorted(known), n=1, cutoff=_ALIKE)
    meant = _RENAMED.get(name.upper()) or next(iter(alike), None)
    if meant is None:  # the value may be a secret
        return f"{name}=(hidden): no setting has this name. docs/settings.md lists all settings."
    field = known[meant]
    problem = f"no setting has this name; did you mean {meant}?"
    return f"{name}={printable(field, value)}: {problem} Example: {meant}={example(field)}"

"""Names of settings that do not exist: what was meant to be set would quietly keep its default."""

import os
from collections.abc import Set
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values

_PREFIX = "NABU_"
_NO_SETTINGS = {"NABU_CONFIG"}
"""What begins like a setting, but is not one."""
_ALIKE = 0.9
"""Names more alike than this are the same one, misspelt; NABU_PORT is not that close to any."""


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


def strange(known: Set[str]) -> list[str]:
    """The names `NABU_…` in the environment that are like no known one.

    Kubernetes and Docker set such as NABU_PORT and NABU_SERVICE_HOST beside a service called `nabu`.
    """
    return [name for name in _unknown(os.environ.keys(), known) if not _meant(name, known)]


def _unknown(names: Set[str], known: Set[str]) -> list[str]:
    there = known | _NO_SETTINGS
    return [name for name in names if name.upper().startswith(_PREFIX) and name.upper() not in there]


def _advice(name: str, known: Set[str]) -> str:
    meant = _meant(name, known)
    return f"Did you mean {meant}?" if meant else "README.md lists all settings."


def _meant(name: str, known: Set[str]) -> str | None:
    """The known name that is meant; None if none is close enough."""
    return next(iter(get_close_matches(name.upper(), sorted(known), n=1, cutoff=_ALIKE)), None)

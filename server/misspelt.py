"""Names of settings that there are not: what was meant to be set would quietly keep its default."""

import os
from collections.abc import Iterator, Set
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values

_PREFIX = "NABU_"
_NO_SETTINGS = {"NABU_CONFIG"}
"""What begins like a setting, and is none."""


def misspelt(known: Set[str], file: Path | None) -> Iterator[str]:
    """A sentence for each name `NABU_…` in the environment, or in the file, that is not a known one."""
    found = {name: "in the environment" for name in os.environ if name.upper().startswith(_PREFIX)}
    if file is not None:
        found |= {name: f"in {file}" for name in dotenv_values(file) if name.upper().startswith(_PREFIX)}
    for name, where in found.items():
        if name.upper() not in known | _NO_SETTINGS:
            alike = get_close_matches(name.upper(), sorted(known), n=1)
            meant = f"Do you mean {alike[0]}?" if alike else "README.md lists all that there are."
            yield f"{name}, {where}, is no setting. {meant}"

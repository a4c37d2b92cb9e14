"""Names of settings that there are not: what was meant to be set would quietly keep its default."""

import os
from collections.abc import Set
from pathlib import Path

from dotenv import dotenv_values

_PREFIX = "NABU_"
_NO_SETTINGS = {"NABU_CONFIG"}
"""What begins like a setting, and is none."""
_MOST_SLIPS = 2


def misspelt(known: Set[str], file: Path | None) -> list[str]:
    """A sentence for each name `NABU_…` in the file that is not known, and in the environment that is like one.

    Raises UnicodeDecodeError for a file that is no text.
    """
    written = {} if file is None else dict.fromkeys(_unknown(dotenv_values(file).keys(), known), f"in {file}")
    found = {name: "in the environment" for name in _unknown(os.environ.keys(), known) if _meant(name, known)}
    return [
        f"{name}, {where}, is no setting. {_advice(name, known)}" for name, where in (found | written).items()
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
    return f"Do you mean {meant}?" if meant else "README.md lists all that there are."


def _meant(name: str, known: Set[str]) -> str | None:
    """The known name from which this one differs by two slips at most; None where there is none."""
    slips = {each: _slips(name.upper(), each) for each in sorted(known)}
    meant = min(slips, key=slips.__getitem__)
    return meant if slips[meant] <= _MOST_SLIPS else None


def _slips(one: str, other: str) -> int:
    """How many signs are missing, too many, wrong, or swapped with the next one."""
    before, row = [0] * (len(other) + 1), list(range(len(other) + 1))
    for i, sign in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (sign != wanted)))
            if i > 1 and j > 1 and (sign, one[i - 2]) == (other[j - 2], wanted):
                row[j] = min(row[j], earlier[j - 2] + 1)
    return row[-1]

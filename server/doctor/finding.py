"""Checks, and the findings that they return."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from server.doctor.installation import Installation

State = Literal["fine", "wrong", "unknown"]


@dataclass(frozen=True)
class Finding:
    """The result of a check: a state, a sentence, and how to fix it if it is wrong.

    The state is "unknown" if the check was not possible.
    """

    state: State
    sentence: str
    fix: str = ""


@dataclass(frozen=True)
class Check:
    """A check, skipped if one of those in `after` has failed; an error in `look` makes it "unknown"."""

    name: str
    look: Callable[[Installation], Finding]
    after: tuple[str, ...] = ()


def fine(told: str) -> Finding:
    return Finding("fine", told)


def wrong(told: str, fix: str) -> Finding:
    return Finding("wrong", told, fix)


def unknown(why: str) -> Finding:
    return Finding("unknown", why)

"""What a check finds, and what a check is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from server.doctor.installation import Installation

State = Literal["fine", "wrong", "unknown"]


@dataclass(frozen=True)
class Finding:
    """How something is, in a sentence; `fix` is what to do where that is wrong.

    It is "unknown" where nothing can be said: that is no reason to worry, nor to rely on it.
    """

    state: State
    told: str
    fix: str = ""


@dataclass(frozen=True)
class Check:
    """One thing to look at; it is only looked at if those named in `after` are fine.

    `look` may raise DBAPIError, or LookupFailed: then nothing is known.
    """

    name: str
    look: Callable[[Installation], Finding]
    after: tuple[str, ...] = ()


def fine(told: str) -> Finding:
    return Finding("fine", told)


def wrong(told: str, fix: str) -> Finding:
    return Finding("wrong", told, fix)


def unknown(why: str) -> Finding:
    return Finding("unknown", why)

"""How a mail ends."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Ending:
    """The state that a mail ends in, and why, for the operator: contains nothing that the mail said."""

    state: Literal["done", "refused", "held", "asked"]
    why: str
    needs_text: bool = False
    """Whether the whole mail may still be needed: to be read by an operator, or to be handled once more."""


def done(why: str) -> Ending:
    """It was acted upon, or there was nothing to do."""
    return Ending("done", why)


def refused(why: str) -> Ending:
    """Nothing was done, and the sender was told what is wrong."""
    return Ending("refused", why)


def held(why: str, *, needs_text: bool = True) -> Ending:
    """Nothing was done; the operator may look."""
    return Ending("held", why, needs_text)


def asked(why: str) -> Ending:
    """Nothing was done yet: somebody was asked whether it is theirs."""
    return Ending("asked", why, needs_text=True)

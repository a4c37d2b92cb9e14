"""Random values: new ones each time at home, always the same in CI; and the seeds of random games.

A test that fails in CI so fails each time, and one that fails now and then does so at home, where it is seen.
"""

from __future__ import annotations

import os
import random
import secrets

import pytest
from _pytest.mark import ParameterSet

_drawn = random.Random()


def settle(label: str) -> None:
    """In CI, all that this process draws from now on follows from `label`."""
    if os.environ.get("CI"):
        _drawn.seed(label)
        forever = pytest.MonkeyPatch()
        forever.setattr(secrets, "token_bytes", lambda count: _drawn.randbytes(count))
        forever.setattr(secrets, "token_hex", lambda count=32: _drawn.randbytes(count).hex())


def seeds(few: int, *, of: int, first: int = 0) -> list[ParameterSet]:
    """Values for `parametrize`: `of` seeds from `first` on, all but the `few` first of them marked as long."""
    long = (pytest.mark.long,)
    return [pytest.param(first + number, marks=() if number < few else long) for number in range(of)]

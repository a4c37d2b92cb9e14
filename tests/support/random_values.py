"""Random values of tests, from one seed a run: new each time at home, always the same in CI.

So a test that fails in CI fails each time, and one that fails now and then does so at home, where it is seen.
`TEST_SEED=… make test` draws the same values again.
"""

from __future__ import annotations

import os
import random
import secrets

import pytest
from _pytest.mark import ParameterSet

_drawn = random.Random()


def run_seed() -> str:
    """Return the seed of this run, which its processes share; in CI it is empty."""
    return os.environ.setdefault("TEST_SEED", "" if os.environ.get("CI") else secrets.token_hex(4))


def seed_from(label: str) -> None:
    """Make all that this process draws from now on follow from the seed of the run and `label`."""
    _drawn.seed(run_seed() + label)
    forever = pytest.MonkeyPatch()
    forever.setattr(secrets, "token_bytes", lambda count: _drawn.randbytes(count))
    forever.setattr(secrets, "token_hex", lambda count=32: _drawn.randbytes(count).hex())


def seeds(few: int, *, of: int, first: int = 0) -> list[ParameterSet]:
    """Values for `parametrize`: `of` seeds from `first` on, all but the `few` first of them marked as long."""
    long = (pytest.mark.long,)
    return [pytest.param(first + number, marks=() if number < few else long) for number in range(of)]

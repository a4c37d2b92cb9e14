"""Seeds of random games: a few for `make test`, many for `make test-long`."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet


def seeds(few: int, *, of: int, first: int = 0) -> list[ParameterSet]:
    """Values for `parametrize`: `of` seeds from `first` on, all but the `few` first of them marked as long."""
    long = (pytest.mark.long,)
    return [pytest.param(first + number, marks=() if number < few else long) for number in range(of)]

"""Processes of tests find everything done: where they do not, each takes seconds more, and nothing says why."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.support.folders import TESTS
from tests.support.forks import PRELOADED


@pytest.mark.parametrize("module", PRELOADED)
def test_preloaded_modules_exist(module: str) -> None:
    """A module that is missing is passed over in silence."""
    assert find_spec(module)


def test_modules_are_preloaded_in_one_place() -> None:
    name = "set_forkserver" + "_preload"
    assert [file.name for file in TESTS.rglob("*.py") if name in file.read_text()] == ["forks.py"]

"""Inputs that fuzzing found are read without failures; `make fuzz` looks for more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.run import FINDS, seeds
from tests.fuzz.targets import TARGETS

_FOUND = sorted(path for path in FINDS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", _FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_earlier_fuzzing_failures_no_longer_fail(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_readers_accept_their_first_inputs(target: str) -> None:
    found = seeds(target)
    assert found
    for seed in found:
        TARGETS[target](seed)


def test_every_stored_find_belongs_to_a_reader() -> None:
    assert {path.parent.name for path in _FOUND} <= set(TARGETS)

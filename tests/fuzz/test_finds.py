"""Inputs that fuzzing found are read without failures; `make fuzz` looks for more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.run import FINDS, seeds
from tests.fuzz.targets import TARGETS

_FOUND = sorted(path for path in FINDS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", _FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_breaks_nothing_any_more(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_every_reader_reads_what_it_is_begun_with(target: str) -> None:
    found = seeds(target)
    assert found
    for seed in found:
        TARGETS[target](seed)


def test_each_find_is_one_of_a_reader() -> None:
    assert {path.parent.name for path in _FOUND} <= set(TARGETS)

"""Benchmarks run in tests, but do not measure."""

from __future__ import annotations

import pytest

from server.bench import processes
from tests.forks import FORKS


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what is measured begin at once, in processes that have everything imported."""
    monkeypatch.setattr(processes, "_context", FORKS)

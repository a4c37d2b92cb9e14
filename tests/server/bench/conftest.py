"""Benchmarks start quickly in tests: they only have to run."""

from __future__ import annotations

import pytest

from server.bench.harness import processes
from tests.support.forks import FORKS


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the processes of benchmarks from one that has imported everything."""
    monkeypatch.setattr(processes, "_context", FORKS)

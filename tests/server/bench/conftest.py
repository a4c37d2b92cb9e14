"""Benchmarks start quickly in tests: they only have to run."""

from __future__ import annotations

import pytest

from server.bench import turn
from server.bench.harness import processes
from tests.support.forks import FORKS


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the processes of benchmarks from one that has imported everything."""
    monkeypatch.setattr(processes, "_context", FORKS)


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait until new processes are idle: the measured values do not matter here."""
    monkeypatch.setattr(turn, "SETTLED", 0.0)

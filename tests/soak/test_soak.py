"""A short soak: each fault once, and all is well. `make soak` takes as long as one likes."""

from __future__ import annotations

import os

import pytest

from tests.soak.run import STORES, Plan, soak

pytestmark = [pytest.mark.long, pytest.mark.slow]


@pytest.mark.parametrize("store", sorted(set(STORES) - {"patroni"}))  # `tests/e2e/test_failover.py` is quicker
def test_games_survive_each_fault_once(store: str) -> None:
    lines: list[str] = []
    plan = Plan(
        store=store, storm=0, calm=1, games=12, people=8, pause=2, fair=0.1, spell=0.5, room=400, seed=1
    )
    soak(plan, lines.append)
    told = "\n".join(lines)
    assert "moves acknowledged" in told
    assert ("disk full" in told) == (os.getuid() == 0)

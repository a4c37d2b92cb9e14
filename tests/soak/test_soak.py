"""A soak of a minute: each fault once, and all is well. `make soak` takes as long as one likes."""

from __future__ import annotations

import os

import pytest

from tests.soak.run import STORES, Plan, soak

pytestmark = [pytest.mark.long, pytest.mark.slow]


@pytest.mark.parametrize("store", STORES)
def test_a_minute_of_each_fault(store: str) -> None:
    lines: list[str] = []
    plan = Plan(
        store=store, storm=20, calm=15, games=12, people=8, pause=3, fair=0.5, spell=2, room=400, seed=1
    )
    soak(plan, lines.append)
    told = "\n".join(lines)
    assert "moves acknowledged" in told
    assert ("disk full" in told) == (os.getuid() == 0)

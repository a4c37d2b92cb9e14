"""A simulated year of games; `simulated_year` itself runs a larger one."""

from __future__ import annotations

import pytest

from tests.support.server.simulated_year import simulate

pytestmark = [pytest.mark.long, pytest.mark.first]


def test_simulated_year_of_play() -> None:
    counts = simulate(8, 25, seed=7)
    assert counts["outages"] == 8
    for what in ("acted on", "reminders", "digests", "mute", "credits", "claim", "vacation", "ended: timeout"):
        assert counts[what] > 0, what

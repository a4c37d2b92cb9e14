"""Matches of computer players, and their tables."""

from __future__ import annotations

import pytest

from rules.bots.match import Played
from rules.registry import RULES
from rules.strengths import NAMES
from server.bench import opponents
from server.bench.opponents import MatchResult


def test_dice_are_known() -> None:
    assert [name for name, game_type in RULES.items() if opponents.has_dice(game_type)] == ["nardshir"]


def test_each_is_matched_with_the_one_below_and_the_strongest_with_others() -> None:
    assert list(opponents.pairings(RULES["nibble"], yardstick=False)) == [
        ("Enkidu", "Belshazzar", 0.60),
        ("Amytis", "Enkidu", 0.60),
        ("Hammurabi", "Amytis", 0.60),
        ("Berossus", "Hammurabi", 0.60),
        ("Berossus", "random", 0.95),
    ]


@pytest.mark.long
def test_matches_are_played_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses the weakest players, who do not think for long."""
    monkeypatch.setattr(opponents, "NAMES", NAMES[:2])
    found = list(opponents.matches(["nibble"], 2, 2, yardstick=False))
    assert [(line.first, line.second) for line in found] == [("Enkidu", "Belshazzar"), ("Enkidu", "random")]
    assert {len(line.games) for line in found} == {2}


def test_a_row_tells_points_error_and_time() -> None:
    won, lost = Played(1.0, (10, 10), (0.5, 0.1)), Played(0.0, (10, 10), (0.5, 0.1))
    line = MatchResult("nibble", "A", "B", 0.6, (won, won, won, lost), True)
    assert opponents.row(line) == "| nibble | A - B | 60% | 75.0% | 4 | ± 17.7% | yes | 50.0 / 10.0 |"


@pytest.mark.long
def test_each_strength_costs_time_and_memory() -> None:
    costs = list(opponents.costs(["nibble"], (1, 3)))
    assert [cost.level for cost in costs] == [1, 3]
    assert costs[-1].milliseconds > costs[0].milliseconds > 0
    assert 500 > costs[-1].megabytes > costs[0].megabytes > 0

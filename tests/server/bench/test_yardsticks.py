"""The strongest level beats the yardsticks in the games in which a plain tree search lost to them."""

from __future__ import annotations

import pytest

from rules.bots.match import play_one
from rules.bots.match_players import Searcher
from rules.bots.thinking import Budget
from rules.registry import RULES
from server.bench.yardsticks import Yardstick

GAMES = 6


@pytest.mark.long
@pytest.mark.parametrize("looks_at_replies", [False, True], ids=["one-ply", "two-ply"])
@pytest.mark.parametrize(("name", "nodes"), [("nardshir", 60), ("nexus", 200)])
def test_a_small_part_of_the_strongest_beats_the_yardsticks(
    name: str, nodes: int, looks_at_replies: bool
) -> None:
    """Searches a tenth or less of the positions, so that the test does not take too long."""
    players = (Searcher(Budget(nodes=nodes)), Yardstick(looks_at_replies))
    points = sum(play_one(RULES[name], {}, players, number, "yardsticks").points for number in range(GAMES))
    assert points > 0.65 * GAMES

"""A best-first search beats the yardsticks in the games in which a plain tree search lost to them."""

from __future__ import annotations

import pytest

from rules.bots.match import play_one
from rules.bots.match_players import Searcher
from rules.bots.thinking import Budget
from rules.registry import RULES
from server.bench.computer_players.yardsticks import Yardstick

GAMES = 2
"""The number of games against each yardstick."""


@pytest.mark.long
@pytest.mark.first
@pytest.mark.parametrize(("name", "nodes"), [("nardshir", 200), ("nexus", 75)])
def test_weakened_strongest_level_still_beats_the_yardsticks(name: str, nodes: int) -> None:
    """A plain tree search scores about one of ten points. The match ends when most of its points are won."""
    searcher, points = Searcher(Budget(nodes=nodes)), 0.0
    for yardstick in (Yardstick(), Yardstick(looks_at_replies=True)):
        for number in range(GAMES):
            points += play_one(RULES[name], {}, (searcher, yardstick), number, "yardsticks").points
            if points > GAMES:
                return
    pytest.fail(f"{points} points in {2 * GAMES} games")

"""The strongest level beats the yardsticks, even with a small budget, in the games in which it looks ahead."""

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
@pytest.mark.parametrize(("name", "nodes"), [("nardshir", 25), ("nexus", 30)])
def test_weakened_strongest_level_still_beats_the_yardsticks(name: str, nodes: int) -> None:
    """With inverted estimates it won none of these games. The match ends when most of its points are won."""
    searcher, points = Searcher(Budget(nodes=nodes)), 0.0
    for yardstick in (Yardstick(), Yardstick(looks_at_replies=True)):
        for number in range(GAMES):
            points += play_one(RULES[name], {}, (searcher, yardstick), number, "yardsticks").points
            if points > GAMES:
                return
    pytest.fail(f"{points} points in {2 * GAMES} games")

"""The estimate of positions, and turns of a computer player that a plain count of pips does not distinguish."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rules.bots.players import searched
from rules.bots.thinking import Budget
from rules.games.nardshir.estimate import estimate
from rules.games.nardshir.position import Position
from tests.support.rules.positions import nardshir as positions
from tests.support.rules.positions.nardshir import board

RULES = positions.NARDSHIR


@pytest.mark.parametrize(
    "position",
    [
        positions.START,
        board({17: 2, 13: 2, 8: 1, 2: 2}, {1: 2, 2: 2, 4: 2, 6: 2}),
        board({24: 1, 25: 14}, {19: 3, 25: 12}, to_move=1),
    ],
)
def test_estimate_is_symmetric(position: Position) -> None:
    first, second = position.discs
    swapped = replace(position, discs=(second, first), to_move=1 - position.to_move)
    assert estimate(position) == pytest.approx(estimate(swapped)[::-1])
    assert sum(estimate(position)) == pytest.approx(1)


def test_exposed_disc_lowers_the_estimate() -> None:
    enemies = {1: 2, 2: 2, 4: 2, 6: 2}
    together, apart = (
        board({17: 2, 12: 2}, enemies, to_move=1),
        board({17: 1, 16: 1, 13: 1, 12: 1}, enemies, to_move=1),
    )
    assert estimate(together)[0] > estimate(apart)[0] + 0.02
    out_of_reach = board({17: 1, 12: 3}, {20: 8}, to_move=1)
    assert estimate(out_of_reach)[0] == pytest.approx(
        estimate(board({16: 1, 12: 3}, {20: 8}, to_move=1))[0], abs=0.02
    )


@pytest.mark.parametrize("draws", range(3))
@pytest.mark.parametrize(
    ("position", "covered"),
    [
        (board({17: 2, 13: 2, 8: 1, 2: 2}, {1: 2, 2: 2, 4: 2, 6: 2}, 5, 4), 17),
        (board({18: 1, 14: 1, 10: 2, 5: 2}, {1: 2, 3: 2, 4: 2, 6: 1}, 4, 1), 18),
    ],
)
def test_estimate_prefers_discs_together_near_the_enemy(position: Position, covered: int, draws: int) -> None:
    turn = searched(RULES, position, 2, random.Random(draws).randrange, Budget(nodes=100)).thought(0).move
    after = RULES.play(position, {0: turn})
    assert after.discs[0][covered] >= 2
    assert all(discs != 1 for discs in after.discs[0][9:25])


def test_new_point_is_better_than_a_fifth_disc_on_one() -> None:
    enemies = {2: 2, 3: 2, 5: 2, 7: 1, 8: 2, 9: 2, 11: 2}
    position = board({2: 2, 3: 1, 5: 1, 13: 3, 15: 4}, enemies, 6, 4)
    turn = searched(RULES, position, 2, random.Random(0).randrange, Budget(nodes=100)).thought(0).move
    assert RULES.play(position, {0: turn}).discs[0][19] == 2

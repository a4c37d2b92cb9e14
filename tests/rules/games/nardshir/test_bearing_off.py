"""Perfect play at the end of the game: compared with chances found by value iteration."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.bots.players import searched, think
from rules.bots.thinking import Budget
from rules.games.nardshir.bearing_off import MOST_DISCS, chance, exact_chances, pips_needed
from rules.strengths import STRENGTHS
from tests.support.rules.perfect_play import Points, drawn, left_by, places, solved
from tests.support.rules.positions import nardshir as positions

RULES = positions.NARDSHIR


def home(discs: Points) -> tuple[int, ...]:
    """Return the discs as `bearing_off` writes them."""
    return tuple(discs.count(pips) for pips in range(6, 0, -1))


@pytest.mark.parametrize(("mine", "theirs"), list(drawn(12, 2)))
def test_bearing_off_chances_match_value_iteration(mine: Points, theirs: Points) -> None:
    assert chance(home(mine), home(theirs)) == pytest.approx(solved(mine, theirs), abs=1e-9)


def test_chance_with_one_disc_and_one_pip_each() -> None:
    rolled_a_one = 11 / 36
    assert chance(home((1,)), home((1,))) == pytest.approx(rolled_a_one / (1 - (1 - rolled_a_one) ** 2))


@pytest.mark.slow
def test_strongest_level_bears_off_perfectly() -> None:
    rng, hard = random.Random(7), 0
    for mine, theirs in drawn(100, 2):
        dice = rng.randint(1, 6), rng.randint(1, 6)
        played = (dice[0],) * 4 if dice[0] == dice[1] else dice
        position = positions.board(places(mine), places(theirs), *dice)
        if RULES.forced(position) is not None:
            continue
        turn = think(RULES, position, 0, 2, STRENGTHS[-1].by_nodes(), rng.randrange).move
        after = RULES.play(position, {0: turn}).discs[0]
        left = tuple(sorted(25 - place for place in range(19, 25) for _ in range(after[place])))
        values = {each: 1 - solved(theirs, each) if each else 1.0 for each in left_by(mine, played)}
        assert values[left] == pytest.approx(max(values.values()), abs=1e-9)
        hard += max(values.values()) - min(values.values()) > 1e-6
    assert hard > 10, "in many positions some turns are worse"


def test_side_bears_off_instead_of_moving_another_disc_to_point_24() -> None:
    """One move leaves five discs and the other six: values for different numbers of discs are comparable."""
    position = positions.board({19: 2, 23: 1, 24: 3, 25: 9}, {22: 2, 23: 2, 24: 1, 25: 10}, 5, 1)
    thought = searched(RULES, position, 2, random.Random(1).randrange, Budget(nodes=50)).thought(0)
    assert RULES.format(thought.move) == "19/24 24/off"


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({18: 1, 25: 14}, {24: 1, 25: 14}),
        ({24: 1, 25: 14}, {0: 1, 24: 1, 25: 13}),
        ({24: MOST_DISCS, 25: 15 - MOST_DISCS}, {24: 1, 25: 14}),
    ],
)
def test_chances_are_not_known_outside_of_bearing_off(mine: Any, theirs: Any) -> None:
    assert exact_chances(positions.board(mine, theirs, 1, 2)) is None


@pytest.mark.parametrize(
    ("discs", "dice"), [({25: 15}, 0), ({24: 1}, 6), ({24: 4}, 24), ({23: 1}, 6), ({23: 1, 24: 1}, 9)]
)
def test_pips_needed_include_dice_that_cannot_be_used(discs: dict[int, int], dice: float) -> None:
    side = [discs.get(place, 0) for place in range(26)]
    assert pips_needed(side) == pytest.approx(3.5 * dice)


@pytest.mark.parametrize("draws", range(3))
@pytest.mark.parametrize(("back", "dice"), [({19: 2, 21: 1}, (3, 2)), ({18: 1, 21: 1}, (6, 2))])
def test_discs_do_not_gather_on_one_point_while_they_bear_off(
    back: dict[int, int], dice: tuple[int, int], draws: int
) -> None:
    mine = {**back, 24: 4, 25: 11 - sum(back.values())}
    position = positions.board(mine, {20: 2, 21: 2, 25: 11}, *dice)
    thought = searched(RULES, position, 2, random.Random(draws).randrange, Budget(nodes=20)).thought(0)
    assert RULES.play(position, {0: thought.move}).discs[0][24] == 4

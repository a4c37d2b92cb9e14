"""Perfect play at the end of the game: compared with chances found by value iteration."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import pytest

from rules.bots.players import think
from rules.games.nardshir.bearing_off import MOST_DISCS, best_turn, chance
from rules.strengths import STRENGTHS
from tests.support.rules.positions import nardshir as positions

RULES = positions.NARDSHIR
GONE: tuple[int, ...] = ()
SMALL = 1e-13
"""The largest change of a chance in one round once it is found."""

Points = tuple[int, ...]
"""The discs that are left, as the pips that each has to go, ascending."""
FOUND: dict[tuple[Points, Points], float] = {}
"""The chance of the player who rolls next, named first; all searches share the results."""


@cache
def left_by(discs: Points, dice: tuple[int, ...]) -> frozenset[Points]:
    """Return the discs that can be left once no die of these can be played any more."""
    found: set[Points] = set()
    for number, die in enumerate(dice):
        for disc in set(discs):
            if disc >= die:
                others = list(discs)
                others.remove(disc)
                rest = tuple(sorted([*others, disc - die] if disc > die else others))
                found |= left_by(rest, (*dice[:number], *dice[number + 1 :]))
    return frozenset(found) or frozenset({discs})


@cache
def rolled(discs: Points) -> list[tuple[int, frozenset[Points]]]:
    """Return the positions that can follow each roll, with the number of 36 rolls that are the same."""
    return [
        (1 if one == two else 2, left_by(discs, (one,) * 4 if one == two else (one, two)))
        for one, two in combinations_with_replacement(range(1, 7), 2)
    ]


def winning(mine: Points, theirs: Points) -> float:
    """Return the chance of the player who rolls next, by the chances found so far."""
    total = 0.0
    for times, lefts in rolled(mine):
        total += times * max(1 - FOUND.get((theirs, left), 0.5) if left else 1.0 for left in lefts)
    return total / 36


def solved(mine: Points, theirs: Points) -> float:
    """Return the chance to win of the player who rolls next, by value iteration over all that can follow."""
    states = _reached(mine, theirs)
    change = 1.0
    while states and change > SMALL:
        change = 0.0
        for state in states:
            chance = winning(*state)
            change = max(change, abs(chance - FOUND.get(state, 0.5)))
            FOUND[state] = chance
    return FOUND[mine, theirs]


def _reached(mine: Points, theirs: Points) -> list[tuple[Points, Points]]:
    """Return all unsolved pairs that can follow, those with the fewest pips first."""
    new = [(mine, theirs)]
    found = set(new) - set(FOUND)
    while new:
        one, other = new.pop()
        for _, lefts in rolled(one):
            for left in lefts:
                if left and (other, left) not in found and (other, left) not in FOUND:
                    found.add((other, left))
                    new.append((other, left))
    return sorted(found, key=lambda pair: sum(map(sum, pair)))


def home(discs: Points) -> tuple[int, ...]:
    """Return the discs as `bearing_off` writes them."""
    return tuple(discs.count(pips) for pips in range(6, 0, -1))


def drawn(wanted: int, most: int) -> Iterator[tuple[Points, Points]]:
    """Yield pairs of a few discs on the last six points."""
    rng = random.Random(5)
    for _ in range(wanted):
        mine, theirs = (tuple(sorted(rng.choices(range(1, 7), k=rng.randint(1, most)))) for _ in range(2))
        yield mine, theirs


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
        position = positions.board(_places(mine), _places(theirs), *dice)
        if RULES.forced(position) is not None:
            continue
        turn = think(RULES, position, 0, 2, STRENGTHS[-1].by_nodes(), rng.randrange).move
        after = RULES.play(position, {0: turn}).discs[0]
        left = tuple(sorted(25 - place for place in range(19, 25) for _ in range(after[place])))
        values = {each: 1 - solved(theirs, each) if each else 1.0 for each in left_by(mine, played)}
        assert values[left] == pytest.approx(max(values.values()), abs=1e-9)
        hard += max(values.values()) - min(values.values()) > 1e-6
    assert hard > 10, "in many positions some turns are worse"


def _places(discs: Points) -> dict[int, int]:
    places = {25 - pips: discs.count(pips) for pips in set(discs)}
    return places | {25: 15 - len(discs)}


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({18: 1, 25: 14}, {24: 1, 25: 14}),
        ({24: 1, 25: 14}, {0: 1, 24: 1, 25: 13}),
        ({24: MOST_DISCS, 25: 15 - MOST_DISCS}, {24: 1, 25: 14}),
    ],
)
def test_best_turn_is_none_outside_of_bearing_off(mine: Any, theirs: Any) -> None:
    assert best_turn(positions.board(mine, theirs, 1, 2)) is None

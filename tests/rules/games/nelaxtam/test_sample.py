"""Random orders for computer players."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from rules.games.nelaxtam.board import DEAD, island
from rules.games.nelaxtam.estimate import estimate
from rules.games.nelaxtam.position import living, open_ways
from rules.games.nelaxtam.sample import promising_orders, random_orders
from rules.games.nelaxtam.turn import END, Orders, destroyed
from tests.support.rules.positions.nelaxtam import DIAGRAM_5, NELAXTAM, drawn, options
from tests.support.rules.random_games import random_game

CROWDED = """
x o x o
o A o x
x 1 x 2
. B . x
"""
"""Both tiles beside B hold troops, and a troop of O can destroy tiles that another one can destroy too."""


O_LEADS = """
x o x o
o A o .
. o . 1
o . o .
"""
"""O has more tiles."""
EVEN = """
x o x o
o A o .
. . x 1
. x . .
"""
"""Both have the same number of tiles."""


@pytest.mark.parametrize(
    ("picture", "seat", "offers"), [(O_LEADS, 0, True), (O_LEADS, 1, False), (EVEN, 0, True), (EVEN, 1, True)]
)
def test_side_that_would_lose_does_not_offer_to_end_the_game(picture: str, seat: int, offers: bool) -> None:
    assert (END in NELAXTAM.candidates(drawn(picture), seat)) == offers


CORNERS = {(0, 0), (0, 11), (11, 0), (11, 11)}


def is_cramped(orders: Orders) -> bool:
    """Return whether a troop lands in a corner, or next to a friend."""
    places = [(ord(name[0]) - ord("a"), int(name[1:]) - 1) for _, name in orders.given]
    pairs = combinations(places, 2)
    beside = (abs(one[0] - other[0]) < 2 and abs(one[1] - other[1]) < 2 for one, other in pairs)
    return not CORNERS.isdisjoint(places) or any(beside)


@pytest.mark.parametrize("seat", [0, 1])
def test_troops_land_outside_corners_and_apart(seat: int) -> None:
    start, below = NELAXTAM.start(options(), {}), random.Random(1).randrange
    cramped = [is_cramped(draw(start, seat, below)) for draw in [random_orders] * 50 + [promising_orders] * 50]
    assert sum(cramped[:50]) > 15
    assert sum(cramped[50:]) < 5


def test_promising_landing_draws_few_squares() -> None:
    start, rng, drawn_from = NELAXTAM.start(options(), {}), random.Random(1), list[int]()

    def below(number: int) -> int:
        drawn_from.append(number)
        return rng.randrange(number)

    promising_orders(start, 0, below)
    assert len(drawn_from) < 10 * start.army


@pytest.mark.parametrize("picture", [DIAGRAM_5, CROWDED])
@pytest.mark.parametrize("seat", [0, 1])
def test_no_troop_holds_or_destroys_in_vain_that_could_destroy_a_tile(picture: str, seat: int) -> None:
    position, below = drawn(picture), random.Random(1).randrange
    steps = island(position.size).board.steps
    for _ in range(100):
        orders = promising_orders(position, seat, below)
        targets = destroyed(position, seat, orders)
        assert len(targets) == len(set(targets))
        for troop, square in living(position, seat).items():
            if troop not in dict(orders.given):
                ways = [way for way in open_ways(position, square) if len(way) == 1]
                assert not {steps[square][way] for way in ways} - set(targets)


FAR = """
. o . . . .
1 . . . . .
. o . . . .
. . o . . .
. . . o A .
. . . . o .
"""
"""Troop 1 can destroy a tile only after three moves southeast; the way northeast ends after one move."""
WAY = ("b6", "a5", "b4", "c3", "d2")
"""From the far end to the tile from which it can destroy one."""


def test_troop_far_from_the_enemy_walks_towards_its_tiles() -> None:
    below = random.Random(1).randrange
    ways = Counter(dict(promising_orders(drawn(FAR), 0, below).given).get("1") for _ in range(100))
    assert ways["se"] > 3 * ways["ne"]


@pytest.mark.parametrize("number", range(3))
def test_estimate_never_prefers_to_lose_a_troop(number: int) -> None:
    for step in random_game(NELAXTAM, options(), number):
        squares, theirs = step.after.troops
        for place, square in enumerate(squares):
            if square != DEAD:
                fewer = (*squares[:place], DEAD, *squares[place + 1 :])
                assert estimate(replace(step.after, troops=(fewer, theirs)))[0] < estimate(step.after)[0]


def test_estimate_is_lower_the_farther_the_tiles_of_the_enemy() -> None:
    at_start = drawn(FAR)
    square = island(at_start.size).board.index
    shares = [estimate(replace(at_start, troops=((square[name],), at_start.troops[1])))[0] for name in WAY]
    assert shares == sorted(shares)
    assert len(set(shares)) == len(shares)

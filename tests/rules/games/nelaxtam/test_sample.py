"""Random orders for computer players."""

from __future__ import annotations

import random

import pytest

from rules.games.nelaxtam.board import island
from rules.games.nelaxtam.position import living, open_ways
from rules.games.nelaxtam.sample import promising_orders
from rules.games.nelaxtam.turn import destroyed
from tests.support.rules.positions.nelaxtam import DIAGRAM_5, drawn

CROWDED = """
x o x o
o A o x
x 1 x 2
. B . x
"""
"""Both tiles beside B hold troops, and a troop of O can destroy tiles that another one can destroy too."""


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

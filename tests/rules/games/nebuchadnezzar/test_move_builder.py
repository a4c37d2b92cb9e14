"""The move builder of Nebuchadnezzar."""

from __future__ import annotations

from rules.move_builder import Choices
from tests.support.rules.positions.nebuchadnezzar import NEBUCHADNEZZAR, opening, position

CROSSING = position("bwwwww bbw.wb b.wwww wwbbbb bwbbbb bbwwbb")
"""White may flip c3-f3 or c2-d3, which share c3 and d3."""


def offered(choices: Choices, group: str) -> list[str]:
    return [pick.text for pick in choices.picks if pick.group == group]


def test_builder_offers_points_and_the_swap() -> None:
    now = opening(4, "a1")
    choices = NEBUCHADNEZZAR.choices(now, 1)
    assert offered(choices, "swap") == ["swap"]
    assert len(offered(choices, "place")) == 15
    assert NEBUCHADNEZZAR.choices(now, 1, ["b2"]).move == "b2"
    assert NEBUCHADNEZZAR.choices(now, 1, ["swap"]).move == "swap"
    assert NEBUCHADNEZZAR.choices(now, 1, ["b2"]).picks == ()


def test_builder_needs_only_the_disc_of_a_single_rectangle() -> None:
    choices = NEBUCHADNEZZAR.choices(CROSSING, 1, ["xf3"])
    assert (choices.move, choices.picks) == ("xc3-f3", ())
    flipped = [cell.name for row in choices.diagram.rows for cell in row.cells if cell.mark]
    assert flipped == ["c3", "d3", "e3", "f3"]


def test_builder_asks_for_the_rectangle_of_a_disc_in_two() -> None:
    choices = NEBUCHADNEZZAR.choices(CROSSING, 1, ["xc3"])
    assert (choices.move, choices.marks) == ("", ("c3",))
    assert [(pick.text, pick.place) for pick in choices.picks] == [("xc3-f3", "e3"), ("xc2-d3", "c2")]
    assert NEBUCHADNEZZAR.choices(CROSSING, 1, ["xc3", "xc2-d3"]).move == "xc2-d3"

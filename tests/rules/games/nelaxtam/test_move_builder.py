"""The move builder of Nelaxtam."""

from __future__ import annotations

import pytest

from rules.errors import IllegalMove
from rules.games.nelaxtam.position import Position
from tests.support.rules.positions.nelaxtam import NELAXTAM, island_with, options

APART = island_with("1 a1, 2 e1, A a12")
RING = island_with("1 e5, 2 f6, 3 e7, 4 d6, A a12")
"""O's troops can each take the place of the next one."""


def texts(position: Position, *picks: str, group: str = "") -> list[str]:
    return [pick.text for pick in NELAXTAM.choices(position, 0, picks).picks if group in ("", pick.group)]


def test_builder_lands_troops_in_order_with_enough_at_the_edge() -> None:
    start = NELAXTAM.start(options(troops=3, sea=2), {})
    edge, inland = ["a1", "c1"], "b2"
    assert {*edge, inland} <= set(texts(start))
    assert inland in texts(start, "a1")
    assert "c3" not in texts(start, inland), "two have to come by sea"
    assert "a1" not in texts(start, "a1")
    assert NELAXTAM.choices(start, 0, [inland, *edge]).move == "1 b2, 2 a1, 3 c1"
    half_way = NELAXTAM.choices(start, 0, edge)
    assert half_way.move == ""
    assert [cell.text for row in half_way.diagram.rows for cell in row.cells if cell.mark] == ["1", "2"]


def test_builder_separates_moves_and_destructions() -> None:
    choices = NELAXTAM.choices(APART, 0, ["1"])
    assert choices.marks == ("a1",)
    assert [(pick.text, pick.place, pick.group) for pick in choices.picks] == [
        ("n", "a2", "destroy"),
        ("ne", "b2", "move"),
        ("e", "b1", "destroy"),
    ]


def test_move_is_complete_after_the_order_of_any_troop() -> None:
    assert NELAXTAM.choices(APART, 0).move == ""
    assert NELAXTAM.choices(APART, 0, ["1"]).move == ""
    assert NELAXTAM.choices(APART, 0, ["1", "ne"]).move == "1 ne"
    assert NELAXTAM.choices(APART, 0, ["2", "n", "1", "ne"]).move == "1 ne, 2 n"


def test_troop_picked_again_gets_another_order_or_holds() -> None:
    assert NELAXTAM.choices(APART, 0, ["1", "ne", "1", "e"]).move == "1 e"
    assert "hold" not in texts(APART, "1")
    assert NELAXTAM.choices(APART, 0, ["1", "ne", "2", "n", "1", "hold"]).move == "2 n"


def test_builder_offers_hold_and_end_only_without_orders() -> None:
    assert NELAXTAM.choices(APART, 0, ["hold"]).move == "hold"
    assert NELAXTAM.choices(APART, 0, ["end"]).move == "end"
    assert texts(APART, "1", "ne", group="turn") == []


def test_builder_lets_troops_exchange_places_in_a_ring() -> None:
    steps = ["1", "ne", "2", "nw", "3", "sw", "4", "se"]
    assert NELAXTAM.choices(RING, 0, steps[:2]).move == "", "troop 2 has to make way first"
    assert NELAXTAM.choices(RING, 0, steps).move == "1 ne, 2 nw, 3 sw, 4 se"


def test_builder_refuses_the_tile_of_a_friend_that_cannot_move() -> None:
    stuck = island_with("1 a1, 2 b2, A a12", gone="a3 c1 c3")
    assert texts(stuck, "1", group="move") == ["ne"], "troop 2 can come to a1"
    assert texts(stuck, "2", "n", "1", group="move") == [], "troop 2 stays"


def test_builder_lets_one_troop_act_in_the_quiet_game() -> None:
    quiet = island_with("1 a1, 2 e1, A a12", mode="quiet")
    assert texts(quiet, "1", "ne") == ["1"]
    with pytest.raises(IllegalMove, match=r"^Pick 3, “2”, is not possible. Possible picks: 1"):
        NELAXTAM.choices(quiet, 0, ["1", "ne", "2"])

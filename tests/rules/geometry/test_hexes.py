"""The geometry of hex places."""

from __future__ import annotations

import pytest

from rules.geometry.bits import numbers_in
from rules.geometry.hexes import (
    DIRECTIONS,
    beside,
    bits_of,
    column_and_row,
    hexagon,
    margin,
    names,
    place_at,
    places,
    reached,
    table,
    triangle,
)


def around(name: str) -> set[str]:
    return {names()[places()[name] + way] for way in DIRECTIONS if places()[name] + way in names()}


def test_names_go_from_a1_to_z26_by_letter_then_number() -> None:
    listed = list(names().values())
    assert listed[0] == "a1"
    assert listed[1] == "a2"
    assert listed[26] == "b1"
    assert listed[-1] == "z26"
    assert len(listed) == 26 * 26
    assert list(names()) == sorted(names())


def test_every_name_stands_for_its_place() -> None:
    assert all(names()[place] == name for name, place in places().items())
    assert column_and_row(places()["m9"]) == (13, 9)
    assert places()["m9"] == place_at(13, 9)


def test_place_has_six_neighbours() -> None:
    assert around("m13") == {"n13", "l13", "m14", "m12", "n12", "l14"}


@pytest.mark.parametrize(
    ("corner", "neighbours"),
    [
        ("a1", {"b1", "a2"}),
        ("z26", {"y26", "z25"}),
        ("a26", {"b26", "a25", "b25"}),
        ("z1", {"y1", "z2", "y2"}),
    ],
)
def test_neighbours_off_the_table_have_no_name(corner: str, neighbours: set[str]) -> None:
    assert around(corner) == neighbours


@pytest.mark.parametrize(("side", "count"), [(1, 1), (2, 7), (3, 19), (4, 37)])
def test_hexagon_contains_all_places_within_its_side(side: int, count: int) -> None:
    found = hexagon(places()["m13"], side)
    assert len(set(found)) == count
    assert list(found) == sorted(found)


def test_hexagon_has_its_corners_in_the_six_directions() -> None:
    found = {names()[place] for place in hexagon(places()["m13"], 3)}
    assert {"k13", "o13", "m11", "m15", "o11", "k15"} <= found
    assert not {"k12", "o14", "l11", "n15"} & found


def test_triangle_has_its_corners_at_both_ends() -> None:
    found = {names()[place] for place in triangle(places()["j10"], 7)}
    assert len(found) == 28
    assert {"j10", "p10", "j16"} <= found
    assert not {"p11", "k16", "j17", "i10"} & found


# Sets of places


def bits(text: str) -> int:
    return bits_of(places()[name] for name in text.split())


def test_set_contains_its_places_ascending() -> None:
    found = bits("m13 a1 z26")
    assert [names()[place] for place in numbers_in(found)] == ["a1", "m13", "z26"]
    assert bits("") == 0


@pytest.mark.parametrize("name", ["m13", "a1", "a26", "z1", "z26"])
def test_beside_returns_the_neighbours_of_a_place(name: str) -> None:
    found = beside(bits(name))
    assert found & table() == bits(" ".join(around(name)))
    assert found.bit_count() == 6
    assert not found & ~(table() | margin())


def test_margin_is_around_the_table() -> None:
    assert table().bit_count() == 26 * 26
    assert not margin() & table()
    assert margin().bit_count() == 4 * 26 + 2, "two corners touch no place of the table"


def test_reached_returns_connected_places() -> None:
    assert reached(bits("a1"), bits("a1 a2 a3 c1")) == bits("a1 a2 a3")
    assert reached(bits("a2 c1"), bits("a1 a2 a3 c1 z26")) == bits("a1 a2 a3 c1")
    assert reached(0, table()) == 0

"""Options and positions of Nelaxtam as data."""

from __future__ import annotations

import pytest

from rules.chance import Chance
from rules.errors import BadData
from tests.support.rules.positions.nelaxtam import NELAXTAM, island_with, options, tiles, turn


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, options()),
        (
            {"size": "10", "troops": " 4 ", "sea": "0", "mode": " Quiet "},
            options(size=10, troops=4, sea=0, mode="quiet"),
        ),
        ({"mode": "quiet"}, options(mode="quiet")),
        ({"troops": 2}, options(troops=2, sea=2)),
        ({"troops": "1"}, options(troops=1, sea=1)),
        ({"troops": 4}, options(troops=4)),
        ({"sea": 5}, options(sea=5)),
        ({"size": 8, "mode": "quiet"}, options(size=8, mode="quiet")),
        ({"size": 14}, options(size=14)),
    ],
)
def test_options_get_defaults_and_may_be_text(given: dict[str, object], expected: object) -> None:
    assert NELAXTAM.options(given) == expected
    assert list(NELAXTAM.options(given)) == ["size", "troops", "sea", "mode"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"komi": 7}, "Nelaxtam has no option “komi”; it has size, troops, sea, mode."),
        ({"mode": "loud"}, "The mode is wild or quiet, not “loud”."),
        ({"mode": "y" * 999}, f"The mode is wild or quiet, not “{'y' * 59}…”."),
        ({"size": 8}, "The size of a wild game is one of 10, 12, 14, not 8."),
        ({"size": 11, "mode": "quiet"}, "The size of a quiet game is one of 8, 10, 12, 14, not 11."),
        ({"size": "big"}, "“size” is a whole number, not 'big'."),
        ({"size": 12.0}, "“size” is a whole number, not 12.0."),
        ({"size": True}, "“size” is a whole number, not True."),
        ({"size": "99999"}, "“size” is a whole number, not '99999'."),
        ({"troops": 0}, "Each side has 1 to 5 troops, not 0."),
        ({"troops": "6"}, "Each side has 1 to 5 troops, not 6."),
        ({"troops": 2, "sea": 3}, "With 2 troops per side, “sea” is from 0 to 2, not 3."),
        ({"sea": -1}, "With 5 troops per side, “sea” is from 0 to 5, not -1."),
    ],
)
def test_invalid_options_are_refused(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadData) as caught:
        NELAXTAM.options(given)
    assert str(caught.value) == sentence


def test_start_has_no_random_part() -> None:
    assert NELAXTAM.setup(options(), Chance(bytes(32), "setup")) == {}
    with pytest.raises(BadData, match="no setup"):
        NELAXTAM.start(options(), {"rows": []})


def test_top_left_square_is_of_x_and_each_side_has_half() -> None:
    start = NELAXTAM.start(options(), {})
    data = NELAXTAM.write(start)
    assert list(data) == ["size", "rows", "troops", "turn", "quiet_turns"]
    assert data["rows"] == ["xoxoxoxoxoxo", "oxoxoxoxoxox"] * 6
    assert (data["size"], data["troops"], data["turn"], data["quiet_turns"]) == (12, {}, 0, 0)
    assert tiles(start) == (72, 72)
    assert NELAXTAM.read(options(), data) == start


def test_troops_are_written_in_the_order_of_their_names() -> None:
    data = NELAXTAM.write(island_with("B a12, 5 a1, 2 b2, A b1"))
    assert list(data["troops"].items()) == [("2", "b2"), ("5", "a1"), ("A", "b1"), ("B", "a12")]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"size": 10}, "The position has size 10, but the options have 12."),
        ({"rows": "xo"}, "“rows” are 12 texts of 12 characters each."),
        ({"rows": ["xoxoxoxoxoxo"] * 11}, "“rows” are 12 texts of 12 characters each."),
        ({"rows": [7] * 12}, "“rows” are 12 texts of 12 characters each."),
        ({"rows": ["xo"] * 12}, "“rows” are 12 texts of 12 characters each."),
        ({"rows": ["xoxoxoxoxoxo"] * 12}, "On a1 there is “o” or “.”, not “x”."),
        ({"rows": ["????????????"] * 12}, "On a1 there is “o” or “.”, not “?”."),
        ({"troops": ["1"]}, "“troops” is an object of troops and their squares."),
        ({"troops": {"6": "a1"}}, "There is no troop “6”; each side has 5."),
        ({"troops": {6: "a1"}}, "There is no troop “6”; each side has 5."),
        ({"troops": {"1": "a13"}}, "Troop 1 must be on a square of the board, not on 'a13'."),
        ({"troops": {"1": None}}, "Troop 1 must be on a square of the board, not on None."),
        ({"troops": {"1": "a12"}}, "Troop 1 on a12 is not on a tile of O."),
        ({"troops": {"D": "g7"}}, "Troop D on g7 is not on a tile of X."),
        ({"troops": {"1": "a1", "2": "a1"}}, "Two troops of O are on one tile."),
        ({"turn": -1}, "“turn” counts turns from 0, so it cannot be -1."),
        ({"turn": "1"}, "“turn” counts turns from 0, so it cannot be '1'."),
        ({"quiet_turns": None}, "“quiet_turns” counts turns from 0, so it cannot be None."),
        ({"turn": 0}, "Before turn 1 the island is complete, and no troop has landed."),
        (
            {"turn": 0, "troops": {}, "quiet_turns": 1},
            "Before turn 1 the island is complete, and no troop has landed.",
        ),
    ],
)
def test_invalid_position_is_refused(change: dict[str, object], sentence: str) -> None:
    data = NELAXTAM.write(island_with("1 a1, A a12"))
    with pytest.raises(BadData) as caught:
        NELAXTAM.read(options(), {**data, **change})
    assert str(caught.value) == sentence


@pytest.mark.parametrize("key", ["size", "rows", "troops", "turn", "quiet_turns"])
def test_incomplete_position_is_refused(key: str) -> None:
    data = NELAXTAM.write(NELAXTAM.start(options(), {}))
    del data[key]
    with pytest.raises(BadData, match=f"A position of Nelaxtam needs “{key}”."):
        NELAXTAM.read(options(), data)


def test_troop_on_a_missing_tile_is_refused() -> None:
    with pytest.raises(BadData, match="Troop 1 on a1 is not on a tile of O"):
        island_with("1 a1, A a12", gone="a1")


def test_unknown_troop_is_refused() -> None:
    data = NELAXTAM.write(island_with("1 a1, 3 b2, A a12"))
    with pytest.raises(BadData, match="There is no troop “3”; each side has 2"):
        NELAXTAM.read(options(troops=2), data)


def test_memory_contains_an_agreed_end() -> None:
    over = turn(island_with("1 a1, A a12"), "end", "end")
    assert NELAXTAM.memory(over) == ("end",)
    assert NELAXTAM.read(options(), NELAXTAM.write(over), NELAXTAM.memory(over)) == over
    assert NELAXTAM.to_move(NELAXTAM.read(options(), NELAXTAM.write(over))) == (0, 1)

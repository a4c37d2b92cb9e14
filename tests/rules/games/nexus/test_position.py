"""Positions of NEXUS as data."""

from __future__ import annotations

import pytest

from rules.errors import BadData
from rules.game import Json
from rules.games.nexus.position import SEATS
from tests.support.rules.positions.nexus import MEADOW, NEXUS, TO_AND_FRO, data, position, replayed


def test_example_of_the_rules_page_is_read() -> None:
    given = {
        "rings": {"m13": "", "m14": "rr", "n12": "brr"},
        "reserve": [7, 11],
        "out": [],
        "to_move": 1,
        "last_actions": ["move", "add"],
        "ply": 7,
        "quiet": 1,
    }
    read = NEXUS.read({"players": 2}, given)
    # Blue's only marble is blocked, and there are no three empty rings: it is out immediately.
    assert read.out == (1,)
    given["rings"] = {"m13": "", "m14": "rr", "n11": "", "n12": "brr", "n13": ""}
    assert NEXUS.write(NEXUS.read({"players": 2}, given)) == given


def test_rings_are_written_by_letter_then_number() -> None:
    read = NEXUS.read({"players": 2}, data("n9 m10:r m9:rb n10 l26"))
    assert list(NEXUS.write(read)["rings"].items()) == [
        ("l26", ""),
        ("m9", "br"),
        ("m10", "r"),
        ("n9", ""),
        ("n10", ""),
    ]


def test_memory_contains_the_reason_of_a_win_and_earlier_positions() -> None:
    begun = position("m13")
    again = replayed(begun, *TO_AND_FRO)
    assert len(NEXUS.memory(again)) == 5
    assert NEXUS.read({"players": 2}, NEXUS.write(again), NEXUS.memory(again)) == again
    fresh = NEXUS.read({"players": 2}, NEXUS.write(again))
    assert fresh.seen == (again.key(),)
    over = NEXUS.leave(again, 0, "timeout")
    assert NEXUS.memory(over) == ("timeout",)
    assert NEXUS.read({"players": 2}, NEXUS.write(over), NEXUS.memory(over)) == over
    forgotten = NEXUS.result(NEXUS.read({"players": 2}, NEXUS.write(over)))
    assert forgotten is not None
    assert forgotten.reason == "last-standing"


def test_memory_contains_only_positions_that_could_come_back() -> None:
    """Given-up marbles are gone for good, and so are those of a seat that leaves; added ones may be deleted."""
    again = replayed(position("m13:r n13 o13", players=3, reserve=[3, 0, 0]), "move c1-d1-e1", "move c4-d4-e4")
    assert len(NEXUS.memory(again)) == 3
    assert len(NEXUS.memory(replayed(again, "move c7-d7-e7", "add n13 o13 c1"))) == 5
    assert len(NEXUS.memory(replayed(again, "move c7-d7-e7", "move e1*m13-o13 o13-n13"))) == 1
    assert len(NEXUS.memory(NEXUS.leave(again, 1, "resigned"))) == 1


@pytest.mark.parametrize("memory", [("nonsense",), ("resigned", "timeout")])
def test_memory_of_another_game_is_refused(memory: tuple[str, ...]) -> None:
    with pytest.raises(BadData, match="do not end with this position"):
        NEXUS.read({"players": 2}, NEXUS.write(position("m13")), memory)
    over = NEXUS.leave(position("m13"), 0, "timeout")
    with pytest.raises(BadData, match="holds only the reason"):
        NEXUS.read({"players": 2}, NEXUS.write(over), memory)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"extra": 1}, "wrong here: extra"),
        ({"reserve": [1]}, "a number for each of 2 seats"),
        ({"reserve": [1, -1]}, "“reserve” holds a whole number"),
        ({"reserve": [1, True]}, "“reserve” holds a whole number"),
        ({"reserve": "11"}, "“reserve” is a list of numbers"),
        ({"out": [1]}, "0 for those that are out"),
        ({"out": [0, 1]}, "at least one seat is still in"),
        ({"out": [1, 1]}, "lists each seat that is out once"),
        ({"out": [2]}, "“out” holds a whole number from 0 to 1"),
        ({"out": [0], "reserve": [0, 1], "rings": {}}, "The seat “to_move” is out"),
        ({"out": [1], "reserve": [1, 0]}, "letters of the seats still in, r"),
        ({"to_move": 2}, "“to_move” holds a whole number from 0 to 1"),
        ({"to_move": "0"}, "“to_move” holds a whole number from 0 to 1"),
        ({"last_actions": ["move"]}, "one action for each of 2 seats"),
        ({"last_actions": ["move", "pass"]}, "“last_actions” are add, move, rings, or null"),
        ({"ply": -1}, "“ply” holds a whole number"),
        ({"quiet": None}, "“quiet” holds a whole number"),
        ({"rings": []}, "“rings” is an object"),
        ({"rings": {"m27": ""}}, "There is no place 'm27'"),
        ({"rings": {"M13": ""}}, "There is no place 'M13'"),
        ({"rings": {"m13": "g"}}, "letters of the seats still in, b, r"),
        ({"rings": {"m13": None}}, "letters of the seats still in, b, r"),
        ({"rings": {"m13": "rrrr"}}, "at most three marbles of one colour and four in all"),
        ({"rings": {"m13": "rrrbb"}}, "at most three marbles of one colour and four in all"),
    ],
)
def test_invalid_positions_are_refused(change: Json, message: str) -> None:
    good = data("m13:br n13 o13 p13", reserve=[3, 3])
    assert NEXUS.read({"players": 2}, good).to_move == 0
    with pytest.raises(BadData, match=message):
        NEXUS.read({"players": 2}, good | change)


def test_incomplete_position_is_refused() -> None:
    given = data("m13:br n13")
    del given["quiet"]
    with pytest.raises(BadData, match="wrong here: quiet"):
        NEXUS.read({"players": 2}, given)


def test_seats_and_meadow_must_match() -> None:
    assert len(SEATS) == len(MEADOW)

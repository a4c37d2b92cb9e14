"""NEXUS und Rabauken: the start, the border of the board, adding."""

from __future__ import annotations

from math import comb

import pytest

from rules.errors import BadData
from rules.games.nexus.board import border, reachable
from rules.geometry.hexes import bits_of, names, places
from tests.support.rules.positions.nexus import NEXUS, board, is_legal, played, position, refusal, shown, start

# The start


@pytest.mark.parametrize(
    ("players", "rings", "on_border", "additions"), [(2, 19, 12, 969), (3, 28, 18, 3276), (4, 37, 18, 7770)]
)
def test_start_has_the_known_check_values(players: int, rings: int, on_border: int, additions: int) -> None:
    begin = start(players)
    assert len(begin.rings) == rings
    assert border(bits_of(begin.board)).bit_count() == on_border
    assert len(reachable(begin.board, "r")) == rings
    assert comb(rings, 3) == additions
    assert len(NEXUS.listing(begin)) == additions


def test_start_is_written_as_json() -> None:
    written = NEXUS.write(start(2))
    assert list(written) == ["rings", "reserve", "out", "to_move", "last_actions", "ply", "quiet"]
    assert set(written.pop("rings").values()) == {""}
    assert written == {
        "reserve": [10, 11],
        "out": [],
        "to_move": 0,
        "last_actions": [None, None],
        "ply": 0,
        "quiet": 0,
    }


@pytest.mark.parametrize("players", [3, 4])
def test_three_and_four_players_have_ten_marbles_each(players: int) -> None:
    assert start(players).reserve == (10,) * players


def test_start_refuses_a_setup() -> None:
    with pytest.raises(BadData, match="no random start"):
        NEXUS.start({"players": 2}, {"rows": []})


@pytest.mark.parametrize(
    ("given", "players"), [({}, 2), ({"players": 3}, 3), ({"players": "4"}, 4), ({"players": " 2 "}, 2)]
)
def test_options_are_read(given: dict[str, object], players: int) -> None:
    assert NEXUS.options(given) == {"players": players}
    assert NEXUS.seats(NEXUS.options(given)) == ("Red", "Blue", "Green", "Yellow")[:players]


@pytest.mark.parametrize("wrong", [1, 5, "five", "", True, None, 2.5, [2]])
def test_other_numbers_of_players_are_refused(wrong: object) -> None:
    with pytest.raises(BadData, match="2, 3 or 4 players"):
        NEXUS.options({"players": wrong})


def test_unknown_options_are_named() -> None:
    with pytest.raises(BadData, match="has only the option players, not rings, size"):
        NEXUS.options({"size": 3, "rings": 19})


# The grid and the border


@pytest.mark.parametrize(
    ("rings", "on_border"),
    [
        ("m13", "m13"),
        ("", ""),
        # A ring with six neighbours is not on the border, regardless of the marbles on them.
        ("m13 n13 l13:r m14 m12 n12 l14", "n13 l13 m14 m12 n12 l14"),
        # The hole at m13 is closed in by six rings, which are on the border because of the outside only.
        ("n13 l13 m14 m12 n12 l14", "n13 l13 m14 m12 n12 l14"),
        # m13 and m14 lie in a hole of a wall around them.
        (
            "m13 k13 k14 k15 k16 l16 m16 n15 o14 o13 o12 o11 n11 m11 l12",
            "k13 k14 k15 k16 l16 m16 n15 o14 o13 o12 o11 n11 m11 l12",
        ),
        # A gap in the wall, n11, lets the outside in to m12, l13 … and so to m13.
        (
            "m13 k13 k14 k15 k16 l16 m16 n15 o14 o13 o12 o11 m11 l12",
            "m13 k13 k14 k15 k16 l16 m16 n15 o14 o13 o12 o11 m11 l12",
        ),
        # Places off the table count as outside: a1 has only two neighbours on it.
        ("a1 b1 a2", "a1 b1 a2"),
        ("z26 y26 z25", "z26 y26 z25"),
        # Two groups of rings far apart.
        ("a1 z26", "a1 z26"),
    ],
)
def test_border_of_the_board(rings: str, on_border: str) -> None:
    assert border(bits_of(board(rings))) == bits_of(places()[name] for name in on_border.split())


# Adding


@pytest.mark.parametrize(
    ("rings", "reached"),
    [
        ("m13 n13", "m13 n13"),
        ("m13 n13:b", "m13"),
        # The middle is behind rings of others only.
        ("m13 n13:b l13:b m14:b m12:b n12:b l14:b", ""),
        # An own ring on the way lets through, and so does an empty one.
        ("m13 n13:b l13:rr m14:b m12:b n12:b l14:b", "m13"),
        ("m13 n13:b l13 m14:b m12:b n12:b l14:b", "l13 m13"),
        # A ring of two colours does not, even when one is one's own.
        ("m13 n13:b l13:br m14:b m12:b n12:b l14:b", ""),
        # A way of several rings: the border ring k13, then l13.
        ("k13:r l13:r m13 k14:b l14:b m14:b n13:b n12:b m12:b l12:b", "m13"),
        ("k13:r l13:b m13 k14:b l14:b m14:b n13:b n12:b m12:b l12:b", ""),
        # A ring inside a closed hole is not reached, though it has a place without a ring beside it.
        (
            "m13 k13 k14 k15 l15 m15 n14 o13 o12 o11 n11 m11 l12",
            "k13 k14 k15 l12 l15 m11 m15 n11 n14 o11 o12 o13",
        ),
    ],
)
def test_reachable_rings(rings: str, reached: str) -> None:
    found = reachable(board(rings), "r")
    assert [names()[ring] for ring in found] == sorted(reached.split(), key=places().__getitem__)


def test_addition_puts_one_marble_on_each_of_three_rings() -> None:
    after = played(start(2), "add m13 m14 n12")
    assert shown({ring: marbles for ring, marbles in after.rings if marbles}) == "m13:r m14:r n12:r"
    assert after.reserve == (7, 11)
    assert after.last_actions == ("add", "")
    assert (after.to_move, after.ply, after.quiet) == (1, 1, 0)


def test_addition_is_sorted_by_letter_then_number() -> None:
    begin = start(4)
    assert NEXUS.format(NEXUS.parse(begin, 0, "add n12 m14 m10")) == "add m10 m14 n12"
    wide = position("m9 m10 n9 n10", reserve=[3, 0])
    assert NEXUS.format(NEXUS.parse(wide, 0, "add n9 m10 m9")) == "add m9 m10 n9"


def test_added_marbles_open_the_way_in_any_order() -> None:
    """m13 is reached only over k13 and l13, which are empty: a path of empty rings is as good."""
    around = "k14:b l14:b m14:b n13:b n12:b m12:b l12:b"
    walled = position(f"k13 l13 m13 {around}", reserve=[3, 0])
    assert is_legal(walled, "add m13 l13 k13")
    assert is_legal(walled, "add k13 l13 m13")


@pytest.mark.parametrize(
    ("rings", "reserve", "text", "sentence"),
    [
        ("m13 n13 o13", 2, "add m13 n13 o13", "To add you need three marbles in your reserve, but you have 2."),
        ("m13 n13 o13", 5, "add m13 n13", "Add exactly three marbles; you named 2 rings."),
        ("m13 n13 o13", 5, "add m13", "Add exactly three marbles; you named 1 ring."),
        ("m13 n13 o13", 5, "add m13 n13 o13 c1", "Add exactly three marbles; you named 4 rings."),
        (
            "m13 n13 o13",
            5,
            "add m13 n13 m13",
            "m13 is named twice, but the three marbles must go on three different rings.",
        ),
        ("m13 n13 o13", 5, "add m13 n13 p13", "There is no ring on p13."),
        (
            "m13 n13 o13:br",
            5,
            "add m13 n13 o13",
            "o13 holds 1 blue marble and 1 red marble; you can add marbles only on empty rings.",
        ),
        (
            "m13 n13 o13:r",
            5,
            "add m13 n13 o13",
            "o13 holds 1 red marble; you can add marbles only on empty rings.",
        ),
        (
            "m13 n13:b l13:b m14:b m12:b n12:b l14:b",
            5,
            "add d1 e1 m13",
            "m13 cannot be reached: no path of rings that are empty or hold only your own marbles "
            "leads to it from the border.",
        ),
    ],
)
def test_illegal_additions_are_refused(rings: str, reserve: int, text: str, sentence: str) -> None:
    assert refusal(position(rings, reserve=[reserve, 0]), text) == sentence


@pytest.mark.parametrize("text", ["move m13-m14 m14-m13", "rings m13 m14 n12 n11 > p13 p12 q12 q11"])
def test_first_action_has_to_be_an_addition(text: str) -> None:
    assert refusal(start(2), text) == "Your first action must be an add."
    assert refusal(played(start(2), "add m13 m14 n12"), text) == "Your first action must be an add."


def test_only_additions_are_listed_for_the_first_action() -> None:
    begin = start(2)
    assert list(NEXUS.moves(begin, 0, "move")) == []
    assert list(NEXUS.moves(begin, 0, "rings")) == []

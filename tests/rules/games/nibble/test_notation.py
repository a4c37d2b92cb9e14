"""The notation of a turn of Nibble, and the refusals of wrong ones."""

from __future__ import annotations

import pytest

from rules.errors import Ambiguous, IllegalMove, Unreadable
from rules.games.nibble.turn import Take
from tests.support.rules.positions.nibble import NIBBLE, hex_13, moved, square_9


@pytest.mark.parametrize(
    "text",
    [
        "a9 c9",
        "c9 a9",
        "take a9, c9",
        "Take A9 and C9.",
        "a9+c9",
        "a9;c9;",
        "  a9\n\tc9 \r\n",
        "take a9\ntake c9",
        "A 9, C 9",
        "- a9, c9",
        "take red",
        "Red.",
        "RED",
        "a",
        "take A",
    ],
)
def test_turn_is_read_in_many_forms(text: str) -> None:
    move = NIBBLE.parse(square_9("ABA"), 0, text)
    assert move == Take(("a9", "c9"))
    assert NIBBLE.format(move) == "a9 c9"


def test_squares_are_sorted_by_letter_then_number() -> None:
    rows = {"a": "A......A"}
    bridge = {"b": "BCDEFGHIJ"}
    assert NIBBLE.format(NIBBLE.parse(hex_13(**rows, **bridge), 0, "a8 a1")) == "a1 a8"
    tall = square_9("BCB", "ADA", "CEC")
    assert NIBBLE.format(NIBBLE.parse(tall, 0, "c9,a9")) == "a9 c9"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ",
        ".",
        "take",
        "take and to",
        "thanks!",
        "c4 good luck",
        "good luck with a9",
        "a9 please",
        "a9c9",
        "a9..c9",
        "a9?",
        "9",
        "9a",
        "n",
        "take all",
        "reds",
        "a９",
        "a" * 500,
    ],
)
def test_prose_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match=r"Write squares, as in “a1 c3”, or one colour, as in “take red”\.$"):
        NIBBLE.parse(square_9("ABA"), 0, text)


SIDES = "; a block can be taken when at least two adjacent sides are exposed."
APART = "the blocks left would not be one group"
STUCK = ": each has too few exposed sides, or cannot go without cutting off others."
RANGES = " looks like a range, and there are none in Nibble: name each square, as in “a9 c9”."


@pytest.mark.parametrize(
    ("rows", "text", "error"),
    [
        # Illegal in every position
        (["ABC"], "a9-c9", f"“a9-c9”{RANGES}"),
        (["ABC"], "A9 – C9", f"“a9-c9”{RANGES}"),
        (["ABC"], "a9 to c9", f"“a9-c9”{RANGES}"),
        (["ABC"], "a9 -> c9", f"“a9-c9”{RANGES}"),
        (["ABC"], "a9 - - c9", f"“a9-c9”{RANGES}"),
        (["ABC"], "a9, c9, A9", "a9 is named twice; a block can be taken only once."),
        (["ABC"], "a9 red", "a9 is a square and “red” is a colour: write squares, or one colour."),
        (["ABC"], "A a9", "a9 is a square and “a” is a colour: write squares, or one colour."),
        (["ABC"], "red blue", "“red” and “blue” both name colours: write one of them, or squares."),
        (["ABC"], "take a red", "“a” and “red” both name colours: write one of them, or squares."),
        # Squares that this board does not have
        (["ABC"], "k1", "There is no k1 on this board; its squares go from a1 to i9."),
        (["ABC"], "a9 a10", "There is no a10 on this board; its squares go from a1 to i9."),
        (["ABC"], "a0", "There is no a0 on this board; its squares go from a1 to i9."),
        (["ABC"], "take grey", "There is no K grey in this game; its last colour is I pink."),
        # Illegal in this position
        (["ABC"], "d9", "d9 is empty: its block has been taken already."),
        (["ABC"], "a9 c9", "All blocks of a turn must have one colour; a9 (A red) and c9 (C yellow) do not."),
        (["ABC", "DEF", "GHI"], "b8", f"b8 (E green) has no exposed side{SIDES}"),
        (["ABC", "DEF", "GHI"], "b9", f"b9 (B orange) is exposed only above{SIDES}"),
        (["ABC", "DEF", "GHI"], "c8", f"c8 (F teal) is exposed only on the right{SIDES}"),
        (["ABC"], "b9", f"b9 (B orange) is exposed only above and below{SIDES}"),
        (["A", "B", "A"], "a8", f"a8 (B orange) is exposed only on the right and on the left{SIDES}"),
        (["AB", "C"], "a9", f"Without a9 {APART}: b9 would be cut off."),
        (["AB", "CA"], "a9 b8", f"Without a9 and b8 {APART}: b9 would be cut off."),
        (
            ["ABCDEFGHI", "........A", "ABCDEFGHB"],
            "i9",
            f"Without i9 {APART}: a9, b9, c9, d9, e9, f9, g9 and h9 would be cut off.",
        ),
        (["ABC"], "orange", f"No block of B orange may be taken now (b9){STUCK}"),
        (["ABC"], "take D", "No block of D lime is left."),
    ],
)  # fmt: skip
def test_illegal_turns_on_squares_are_refused(rows: list[str], text: str, error: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        NIBBLE.parse(square_9(*rows), 0, text)
    assert str(caught.value) == error


HEX_SIDES = SIDES.replace("two", "three")


@pytest.mark.parametrize(
    ("rows", "text", "error"),
    [
        ({"a": "ABC"}, "a9", "There is no a9 on this board; row a goes from a1 to a8."),
        ({"a": "ABC"}, "h16", "There is no h16 on this board; row h goes from h1 to h15."),
        ({"a": "ABC"}, "p1", "There is no p1 on this board; its squares go from a1 to o8."),
        (
            {"a": "ABC"},
            "a2",
            "a2 (B orange) is exposed only at the upper right, at the lower right, at the lower left "
            f"and at the upper left{HEX_SIDES}",
        ),
        (
            {"b": ".AB", "c": ".CDE", "d": "..AB"},
            "c3",
            f"c3 (D lime) has no exposed side{HEX_SIDES}",
        ),
        (
            {"a": ".A", "b": "BC"},
            "b2",
            f"Without b2 {APART}: b1 would be cut off.",
        ),
        ({"a": "ABC"}, "m1", "m1 is empty: its block has been taken already."),
        ({"a": "ABC"}, "white", "No block of M white is left."),
    ],
)
def test_illegal_turns_on_hexagons_are_refused(rows: dict[str, str], text: str, error: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        NIBBLE.parse(hex_13(**rows), 0, text)
    assert str(caught.value) == error


def test_long_list_of_blocks_cut_off_is_shortened() -> None:
    position = square_9("ABCDEFGHI", "I......CB", "ABCDE....", "BCDEFGHIA")
    with pytest.raises(IllegalMove, match=r": b9, c9, d9, e9, f9, g9, h8 and 3 more would be cut off\.$"):
        NIBBLE.parse(position, 0, "a9")


def test_colour_stands_for_all_its_blocks_that_may_be_taken() -> None:
    # The A of b8 is walled in, so only the one in the corner goes.
    assert NIBBLE.parse(square_9("ABC", "DAE", "FGH"), 0, "take red") == Take(("a9",))
    assert NIBBLE.parse(hex_13(a="ABA"), 0, "A") == Take(("a1", "a3"))
    assert NIBBLE.parse(hex_13(a="KLK"), 0, "gray") == Take(("a1", "a3"))


def test_colour_that_may_not_be_taken_completely_is_refused() -> None:
    position = square_9("ABCDA", "CA")
    with pytest.raises(Ambiguous) as caught:
        NIBBLE.parse(position, 0, "take red")
    assert str(caught.value) == (
        f"a9, b8 and e9 may each be taken, but not all of them together, because {APART}: "
        "name the squares that you want."
    )
    assert caught.value.choices == ("a9 e9", "b8 e9")
    for choice in caught.value.choices:
        NIBBLE.parse(position, 0, choice)


def test_turn_at_the_wrong_time_is_refused() -> None:
    with pytest.raises(IllegalMove, match=r"^It is not your turn: First is to move\.$"):
        NIBBLE.parse(square_9("A"), 1, "a9")
    for seat in (0, 1):
        with pytest.raises(IllegalMove, match=r"^The game is over\.$"):
            NIBBLE.parse(moved("square-9", {"A": 9}, {}, mover=0), seat, "a1")

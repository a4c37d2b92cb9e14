"""Nardshir: accepted and refused ways to write a turn."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import Ambiguous, IllegalMove, Unreadable, WrongMove
from rules.games.nardshir.board import Hop
from rules.games.nardshir.notation import read_move, short_text
from rules.games.nardshir.position import Position
from tests.support.examples import examples
from tests.support.rules.positions.nardshir import NARDSHIR, START, board, canonical, refusal

MIXED = board({11: 1, 22: 3}, {11: 1}, 3, 5)
"""X may hit on 14."""
GOING_OFF = board({22: 3, 19: 2, 25: 10}, {}, 3, 3)
TWOS = board({11: 2, 2: 1}, {12: 1}, 2, 2)
"""X may hit on 13."""


@pytest.mark.parametrize(
    ("typed", "turn"),
    [
        ("hand/3 11/16", "hand/3 11/16"),
        ("11/16 hand/3", "11/16 hand/3"),
        ("hand/5 11/14", "hand/5 11/14*"),
        ("hand/5 11/14*", "hand/5 11/14*"),
        ("HAND/5, 11/14.", "hand/5 11/14*"),
        ("hand/5 and 11/14", "hand/5 11/14*"),
        ("Hand / 5;11 / 14 *", "hand/5 11/14*"),
        ("h/5 11-14", "hand/5 11/14*"),
        ("h5 11 - 14", "hand/5 11/14*"),
        ("bar/5 11 to 14", "hand/5 11/14*"),
        ("bar 5, 11->14*", "hand/5 11/14*"),
        ("enter 5 11 → 14", "hand/5 11/14*"),
        ("Enter 5; 11–14.", "hand/5 11/14*"),
        ("hand to 5. 11to14", "hand/5 11/14*"),
        ("  hand/5\r\n\n\t11/14  ", "hand/5 11/14*"),
        ("hand/5(1) 1x 11/14*", "hand/5 11/14*"),
        ("11/14/19", "11/14* 14/19"),
        ("11-14*-19", "11/14* 14/19"),
        ("11 to 16 to 19", "11/16 16/19"),
        ("hand/3/8", "hand/3 3/8"),
        ("enter 3/8", "hand/3 3/8"),
    ],
)
def test_turn_is_read_in_many_forms(typed: str, turn: str) -> None:
    assert canonical(MIXED, typed) == turn


@pytest.mark.parametrize(
    ("typed", "turn"),
    [
        ("22/off 22/off 22/off 19/22", "22/off 22/off 22/off 19/22"),
        ("22 off 22off 22-OFF 19 to 22", "22/off 22/off 22/off 19/22"),
        ("22 to off, 22 -> off, 22 / off, 19/22", "22/off 22/off 22/off 19/22"),
        ("3x 22/off 19/22", "22/off 22/off 22/off 19/22"),
        ("22/off(3), 19/22", "22/off 22/off 22/off 19/22"),
        ("22 off (3) 19/22", "22/off 22/off 22/off 19/22"),
        ("19/22 3×22 off", "19/22 22/off 22/off 22/off"),
        ("2x19/22/off", "19/22 22/off 19/22 22/off"),
        ("19/22/off(2)", "19/22 22/off 19/22 22/off"),
        ("19-22 off 2 x 22 off", "19/22 22/off 22/off 22/off"),
    ],
)
def test_bearing_off_is_read_in_many_forms(typed: str, turn: str) -> None:
    assert canonical(GOING_OFF, typed) == turn


@pytest.mark.parametrize(
    "typed",
    ["2x 11/13* 2x 13/15", "11/13*(2) 13/15(2)", "11/13(2)* 2x 13/15", "2x 11/13 13/15 13/15"],
)
def test_star_marks_the_first_of_several_hops(typed: str) -> None:
    assert canonical(TWOS, typed) == "11/13* 11/13 13/15 13/15"


def test_star_for_the_second_hop_is_refused() -> None:
    assert refusal(TWOS, "11/13 11/13* 2x 13/15") == "11/13 hits nothing: write it without the star."


@pytest.mark.parametrize("typed", ["hand/5 thanks!", "5x", "2x 2x hand/2", "hand/2(2)(2)"])
def test_partly_readable_text_is_refused(typed: str) -> None:
    with pytest.raises(Unreadable):
        read_move(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "thanks!",
        "good luck",
        "hand/3 11/14 good luck",
        "I play hand/3 11/14",
        "hand/30 or so",
        "hand",
        "off",
        "22/off/3",
        "off/22",
        "5/hand",
        "11 14",
        "11/14*19",
        "*11/14",
        "11//14",
        "11/",
        "-",
        "11/14 +",
        "hand/3passhand/5",
        "passing",
        "pass hand/3",
        "0x hand/3",
        "10x hand/3",
        "11/1400",
        "１１/14",
        "\0",
    ],
)
def test_text_that_is_no_turn_is_unreadable(typed: str) -> None:
    with pytest.raises(Unreadable) as refused:
        NARDSHIR.parse(MIXED, 0, typed)
    assert "is not a turn of Nardshir" in str(refused.value)


@pytest.mark.parametrize("typed", ["", " \n ", ".", " , ;"])
def test_empty_text_is_unreadable(typed: str) -> None:
    with pytest.raises(Unreadable, match="There is no move here"):
        NARDSHIR.parse(MIXED, 0, typed)


def test_prose_is_quoted_in_short() -> None:
    with pytest.raises(Unreadable) as refused:
        NARDSHIR.parse(MIXED, 0, "I  would\nsay " + "x" * 500)
    assert str(refused.value).startswith("“I would say…” is not")
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(("typed", "number"), [("hand/0 11/14", 0), ("11/25", 25), ("hand/311/14", 311)])
def test_point_off_the_board_is_refused(typed: str, number: int) -> None:
    sentence = f"There is no point {number}: a disc moves from hand to points 1 to 24, and then off."
    assert refusal(MIXED, typed) == sentence


# Two dice for one disc


def test_ambiguous_path_must_be_named() -> None:
    with pytest.raises(Ambiguous) as refused:
        NARDSHIR.parse(board({5: 1}, {}, 3, 4), 0, "5/12")
    assert refused.value.choices == ("5/8 8/12", "5/9 9/12")
    assert str(refused.value) == "5/12 can be played in more than one way; write 5/8 8/12 or 5/9 9/12."


def test_refusal_of_an_ambiguous_path_shows_the_hits() -> None:
    with pytest.raises(Ambiguous) as refused:
        NARDSHIR.parse(MIXED, 0, "11/19")
    assert refused.value.choices == ("11/14* 14/19", "11/16 16/19")
    assert [canonical(MIXED, choice) for choice in refused.value.choices] == list(refused.value.choices)


def test_ambiguous_path_from_hand_and_off_must_be_named() -> None:
    with pytest.raises(Ambiguous):
        NARDSHIR.parse(NARDSHIR.roll(START, (1, 2)), 0, "hand/3")
    with pytest.raises(Ambiguous):
        NARDSHIR.parse(board({20: 1}, {}, 2, 3), 0, "20/off")


@pytest.mark.parametrize(
    ("x", "o", "dice", "typed", "sentence"),
    [
        (
            {5: 1},
            {17: 2},
            (3, 4),
            "5/12",
            "5/12 uses more than one die; write each move separately: 5/9 9/12.",
        ),
        (
            {5: 1},
            {16: 2, 17: 2},
            (3, 4),
            "5/12",
            "5/12 is not possible: every way there with 3 and 4 is closed.",
        ),
        (
            {},
            {},
            (2, 2),
            "hand/6",
            "hand/6 uses more than one die; write each move separately: hand/2 2/4 4/6.",
        ),
        (
            {7: 1},
            {14: 2},
            (2, 2),
            "7/13",
            "7/13 is not possible: every way there with 2, 2, 2 and 2 is closed.",
        ),
    ],
)
def test_refusal_of_a_move_over_several_dice_names_the_open_path_if_any(
    x: dict[int, int], o: dict[int, int], dice: tuple[int, int], typed: str, sentence: str
) -> None:
    assert refusal(board(x, o, *dice), typed) == sentence


# Writing


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        ((), "pass"),
        ((Hop(0, 3), Hop(11, 16)), "hand/3 11/16"),
        ((Hop(5, 8, True), Hop(8, 12)), "5/8*/12"),
        ((Hop(5, 8), Hop(8, 12, True)), "5/8/12*"),
        ((Hop(0, 3, True), Hop(0, 3), Hop(0, 3)), "3x hand/3*"),
        ((Hop(22, 25), Hop(22, 25)), "2x 22/off"),
        ((Hop(0, 3), Hop(0, 3), Hop(3, 6), Hop(6, 9)), "2x hand/3 3/6/9"),
        ((Hop(0, 3), Hop(3, 6), Hop(3, 6), Hop(6, 9)), "hand/3 2x 3/6 6/9"),
    ],
)
def test_short_text_combines_hops(turn: tuple[Hop, ...], text: str) -> None:
    assert short_text(turn) == text
    assert [(stretch.start, stretch.end) for stretch in read_move(text)] == [
        (hop.start, hop.end) for hop in turn
    ]


# Anything at all


TOKENS = st.lists(
    st.sampled_from(
        [
            "hand",
            "h",
            "bar",
            "enter",
            "off",
            "to",
            "/",
            "-",
            "->",
            "*",
            "(2)",
            "2x",
            "x",
            " ",
            ",",
            "\n",
            "pass",
        ]
        + [str(point) for point in range(27)]
    ),
    max_size=12,
).map("".join)


@examples(600)
@given(st.one_of(st.text(max_size=40), TOKENS), st.sampled_from([MIXED, GOING_OFF, TWOS, START]))
def test_any_text_is_read_or_refused(text: str, now: Position) -> None:
    with suppress(WrongMove):
        assert NARDSHIR.parse(now, 0, text) in set(NARDSHIR.moves(now, 0))


@pytest.mark.parametrize(
    "text", ["hand/3 " * 10_000, " " * 65_000, "1" * 65_000, "9x " * 20_000, "5/" * 30_000]
)
def test_long_texts_are_read_fast(text: str) -> None:
    begun = time.process_time()
    with pytest.raises((Unreadable, IllegalMove)):
        NARDSHIR.parse(MIXED, 0, text)
    assert time.process_time() - begun < 2

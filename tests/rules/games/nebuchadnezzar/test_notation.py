"""The notation of Nebuchadnezzar, and the texts and pictures for players."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import ascii_board
from rules.errors import IllegalMove, Unreadable, WrongMove
from rules.games.nebuchadnezzar.position import Position
from tests.support.rules.positions.nebuchadnezzar import (
    NEBUCHADNEZZAR,
    after,
    opening,
    position,
    refusal,
    step,
    texts,
)

FLIPPABLE = position(".www. wbbbw wbbbw wbbbw .www.")
CORNER = position(".... .... w... bw..")
WHITE_IS_STUCK = position("bbbb bbbw bbbw bbbw", ply=21)

# Reading


@pytest.mark.parametrize(
    "text",
    ["a5", "A5", " a5 ", "a5.", "a5...", "a 5", "place a5", "Put A5,", "place, a5;", "put on a5\n", "a05"],
)
def test_placement_is_read_in_many_forms(text: str) -> None:
    assert NEBUCHADNEZZAR.format(NEBUCHADNEZZAR.parse(FLIPPABLE, 1, text)) == "a5"


@pytest.mark.parametrize(
    "text",
    [
        "xb2-d4",
        "Xd4-b2",
        "xb4-d2",
        "xd2-b4",
        "flip b2-d4",
        "flip b2 d4",
        "Flip b2, d4.",
        "x b2:d4",
        "x b2 : d4",
        "xb2->d4",
        "xb2 -> d4",
        "xb2 to d4",
        "xb2–d4",
        "x, b2; d4",
        "flip\nb2\nd4",
    ],
)
def test_flip_is_read_with_any_two_opposite_corners(text: str) -> None:
    assert NEBUCHADNEZZAR.format(NEBUCHADNEZZAR.parse(FLIPPABLE, 1, text)) == "xb2-d4"


@pytest.mark.parametrize("text", ["xa1", "x a1", "xa1-a1", "flip a1", "flip a1 a1", "XA1."])
def test_single_disc_is_flipped_by_its_name(text: str) -> None:
    assert NEBUCHADNEZZAR.format(NEBUCHADNEZZAR.parse(CORNER, 1, text)) == "xa1"


@pytest.mark.parametrize("text", ["swap", "Swap.", " SWAP "])
def test_swap_is_one_word(text: str) -> None:
    assert NEBUCHADNEZZAR.format(NEBUCHADNEZZAR.parse(opening(4, "b2"), 1, text)) == "swap"


@pytest.mark.parametrize(
    "text",
    [
        "thanks!",
        "c4 good luck",
        "good luck, c4",
        "I place c4",
        "c4!",
        "c4?",
        "c4 d4",
        "c4-d4",
        "c4 to d4",
        "xc4 d4 e4",
        "xc4d4",
        "x",
        "flip",
        "place",
        "put it on c4",
        "swap c4",
        "swap please",
        "pass the salt",
        "resign",
        "4c",
        "c",
        "4",
        "c4c4",
        "ç4",
        "c٤",
        "c12345",
        "place xc4",
        "on c4",
    ],
)
def test_partly_readable_text_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        NEBUCHADNEZZAR.parse(FLIPPABLE, 1, text)
    how = "write c4 to place a disc on c4, xb2-c3 to flip the rectangle from b2 to c3."
    assert str(refused.value) == f"“{text.lower().replace(',', '')}” is not a move of Nebuchadnezzar: {how}"


@pytest.mark.parametrize("text", ["", " ", ".", ",;\n."])
def test_empty_text_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match=r"^There is no move here: write c4 to place"):
        NEBUCHADNEZZAR.parse(FLIPPABLE, 1, text)


def test_long_text_is_quoted_in_short() -> None:
    with pytest.raises(Unreadable, match=r"^“(blah ){10}blah…” is not a move"):
        NEBUCHADNEZZAR.parse(FLIPPABLE, 1, "blah " * 150)


@given(
    st.text() | st.text("abcdexABX1234 ,;.:->\n", max_size=12) | st.from_regex(r"(x|flip |put )?[a-f][0-6].*")
)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        move = NEBUCHADNEZZAR.parse(FLIPPABLE, 1, text)
    except WrongMove:
        return
    assert NEBUCHADNEZZAR.format(move) in texts(FLIPPABLE)


def test_move_out_of_turn_is_refused() -> None:
    with pytest.raises(IllegalMove, match=r"^It is not your turn: First is to move\.$"):
        NEBUCHADNEZZAR.parse(opening(4), 1, "a1")
    with pytest.raises(IllegalMove, match=r"^It is not your turn: Second is to move\.$"):
        NEBUCHADNEZZAR.parse(opening(4, "a1"), 0, "a2")
    assert list(NEBUCHADNEZZAR.moves(opening(4), 1)) == []


def test_moves_are_listed_simplest_first() -> None:
    now = position("..... .w... wbw.. .w.ww ..wbb", to_move=1)
    listed = texts(now)
    flips = [text for text in listed if text.startswith("x")]
    assert listed == [text for text in listed if text not in flips] + flips
    assert flips == ["xb3", "xd1-e1"]
    assert NEBUCHADNEZZAR.listing(now) == listed


# Pictures and words


def test_picture_shows_the_discs_and_counts_them_by_colour() -> None:
    drawn = ascii_board(NEBUCHADNEZZAR.diagram(opening(4, "b2", "d4")))
    lines = drawn.splitlines()
    assert [line.split() for line in lines[1:5]] == [
        ["4|", ".", ".", ".", "w", "|4"],
        ["3|", ".", ".", ".", ".", "|3"],
        ["2|", ".", "b", ".", ".", "|2"],
        ["1|", ".", ".", ".", ".", "|1"],
    ]
    assert lines[-2:] == ["b: black, 1 disc", "w: white, 1 disc"]


def test_picture_shows_the_colours_after_a_swap() -> None:
    captions = NEBUCHADNEZZAR.diagram(opening(4, "b2", "swap", "d4", "a1")).captions
    assert captions == ("b: black, 2 discs", "w: white, 1 disc")


@pytest.mark.parametrize(
    ("text", "marked"),
    [("xb2-d4", {f"{file}{rank}" for file in "bcd" for rank in "234"}), ("a5", {"a5"})],
)
def test_picture_marks_changes_of_a_turn_or_a_plan(text: str, marked: set[str]) -> None:
    turn = step(FLIPPABLE, text)
    for diagram in (
        NEBUCHADNEZZAR.diagram(turn.after, turn),
        NEBUCHADNEZZAR.diagram(turn.before, plan=turn.moves[1]),
    ):
        assert {cell.name for row in diagram.rows for cell in row.cells if cell.mark} == marked


def test_picture_marks_the_swapped_disc_and_nothing_for_a_pass() -> None:
    for turn, marked in ((step(opening(4, "b2"), "swap"), ["b2"]), (step(WHITE_IS_STUCK, "pass"), [])):
        diagram = NEBUCHADNEZZAR.diagram(turn.after, turn)
        assert [cell.name for row in diagram.rows for cell in row.cells if cell.mark] == marked


def test_largest_picture_fits_into_an_email() -> None:
    drawn = ascii_board(NEBUCHADNEZZAR.diagram(opening(15, "o15")))
    assert max(map(len, drawn.splitlines())) <= 72


def test_story_of_an_ordinary_placement_is_empty() -> None:
    assert NEBUCHADNEZZAR.story(step(opening(4), "a1")) == []


def test_story_counts_flipped_discs() -> None:
    assert NEBUCHADNEZZAR.story(step(FLIPPABLE, "xb2-d4")) == ["9 black discs turned white: b2-d4."]
    assert NEBUCHADNEZZAR.story(step(CORNER, "xa1")) == ["1 black disc turned white: a1."]


def test_story_names_the_colours_after_a_swap() -> None:
    exchanged = "The players swap colours: the player who had white now plays black."
    assert NEBUCHADNEZZAR.story(step(opening(4, "b2"), "swap")) == [exchanged]


def test_story_names_passes() -> None:
    almost = position("bbbb bbbw bbbw .bbw", to_move=0)
    assert NEBUCHADNEZZAR.story(step(almost, "a1")) == ["White can neither place nor flip and has to pass."]
    assert NEBUCHADNEZZAR.story(step(WHITE_IS_STUCK, "pass")) == ["White could neither place nor flip."]


@pytest.mark.parametrize(
    ("now", "examples"),
    [
        (opening(4), ("a3", "a1")),
        (opening(4, "a1"), ("a3", "b1", "swap")),
        (FLIPPABLE, ("a5", "a1", "xb2-d4")),
        (position("..... .w... wbw.. .w.ww ..wbb"), ("c4", "a1", "xd1-e1", "xb3")),
        (WHITE_IS_STUCK, ("pass",)),
        (position("bbbb bbbb bbbb bbbb"), ()),
    ],
)
def test_examples_fit_the_position_and_only_the_seat_to_move(now: Position, examples: tuple[str, ...]) -> None:
    assert NEBUCHADNEZZAR.examples(now, now.to_move) == examples
    assert NEBUCHADNEZZAR.examples(now, 1 - now.to_move) == ()


def test_move_after_the_end_is_refused() -> None:
    assert refusal(after(FLIPPABLE, "xb2-d4"), "b2") == "The game is over."

"""Nebuchadnezzar, rule by rule."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rules.errors import BadData
from rules.games.nebuchadnezzar.board import Pass
from rules.games.nebuchadnezzar.position import Position
from rules.result import Result
from tests.support.rules.positions.nebuchadnezzar import (
    NEBUCHADNEZZAR,
    after,
    opening,
    position,
    refusal,
    texts,
)

# The start of a game


@pytest.mark.parametrize(
    ("given", "size"),
    [({}, 8), ({"size": 4}, 4), ({"size": 15}, 15), ({"size": "10"}, 10), ({"size": " 9 "}, 9)],
)
def test_size_is_from_4_to_15(given: dict[str, object], size: int) -> None:
    assert NEBUCHADNEZZAR.options(given) == {"size": size}


@pytest.mark.parametrize("size", [3, 16, "3", "many", "", None, 8.0, True, -8, "٨", "9" * 5000])
def test_other_sizes_are_refused(size: object) -> None:
    with pytest.raises(BadData, match=r"^The size is a whole number from 4 to 15, not "):
        NEBUCHADNEZZAR.options({"size": size})


def test_unknown_option_is_refused_with_the_known_one() -> None:
    with pytest.raises(BadData, match=r"^Nebuchadnezzar has no option “komi”; it has size\.$"):
        NEBUCHADNEZZAR.options({"size": 8, "komi": 1})


def test_nebuchadnezzar_has_no_setup() -> None:
    with pytest.raises(BadData, match="it has no setup"):
        NEBUCHADNEZZAR.start({"size": 8}, {"discs": 4})


def test_start_is_an_empty_board_with_black_to_move() -> None:
    start = NEBUCHADNEZZAR.start({"size": 4}, {})
    assert NEBUCHADNEZZAR.write(start) == {
        "size": 4,
        "rows": ["....", "....", "....", "...."],
        "colours": ["black", "white"],
        "to_move": 0,
        "ply": 0,
    }
    assert list(NEBUCHADNEZZAR.write(start)) == ["size", "rows", "colours", "to_move", "ply"]
    assert NEBUCHADNEZZAR.seats({"size": 4}) == ("First", "Second")
    assert NEBUCHADNEZZAR.to_move(start) == (0,)


# Positions as data


def test_rows_are_written_from_the_top_rank_down() -> None:
    assert NEBUCHADNEZZAR.write(opening(4, "a1", "d3"))["rows"] == ["....", "...w", "....", "b..."]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": 5}, "The position has size 5, but the options have size 4."),
        ({"rows": ["....", "....", "...."]}, "“rows” are 4 texts of 4 signs each, from the top rank down."),
        (
            {"rows": ["....", "....", "....", "..."]},
            "“rows” are 4 texts of 4 signs each, from the top rank down.",
        ),
        ({"rows": ["....", "....", "....", 4]}, "“rows” are 4 texts of 4 signs each, from the top rank down."),
        ({"rows": [*["...."] * 4, None]}, "“rows” are 4 texts of 4 signs each, from the top rank down."),
        ({"rows": [*["...."] * 4, []]}, "“rows” are 4 texts of 4 signs each, from the top rank down."),
        ({"rows": "...."}, "“rows” are 4 texts of 4 signs each, from the top rank down."),
        ({"rows": ["....", "....", "....", "..x."]}, "“rows” hold the signs b, w and . only, not x."),
        ({"colours": ["black", "black"]}, "“colours” are black and white, one for each seat."),
        ({"to_move": 2}, "“to_move” is seat 0 or 1, not 2."),
        ({"to_move": True}, "“to_move” is seat 0 or 1, not True."),
        ({"ply": -1}, "“ply” counts the turns played, from 0; it cannot be -1."),
        ({"ply": "3"}, "“ply” counts the turns played, from 0; it cannot be '3'."),
    ],
)
def test_impossible_position_is_refused(change: dict[str, Any], message: str) -> None:
    data = NEBUCHADNEZZAR.write(opening(4)) | change
    with pytest.raises(BadData, match=f"^{re.escape(message)}$"):
        NEBUCHADNEZZAR.read({"size": 4}, data)


@pytest.mark.parametrize("key", ["size", "rows", "colours", "to_move", "ply"])
def test_incomplete_position_is_refused(key: str) -> None:
    data = NEBUCHADNEZZAR.write(opening(4))
    del data[key]
    with pytest.raises(BadData, match=f"^A position of Nebuchadnezzar needs “{key}”.$"):
        NEBUCHADNEZZAR.read({"size": 4}, data)


# Placing


def test_first_disc_may_be_placed_anywhere() -> None:
    assert len(texts(opening(8))) == 64


@pytest.mark.parametrize(
    ("first", "count", "missing"), [("a1", 64, set()), ("d4", 60, {"c4", "d3", "d5", "e4"})]
)
def test_second_turn_is_a_placement_or_the_swap(first: str, count: int, missing: set[str]) -> None:
    answers = texts(opening(8, first))
    assert len(answers) == count
    assert answers[-1] == "swap"
    assert set(texts(opening(8))) - set(answers) == missing | {first}


@pytest.mark.parametrize(
    ("picture", "allowed"),
    [
        (".... .... .b.. ....", False),  # b3: one enemy, three empty
        (".... .... .w.. ....", True),  # one friend, three empty
        (".... .... .bb. ....", False),
        (".b.. .... .b.. ....", True),  # two enemies, two empty
        (".... w... .b.. ....", True),  # an enemy and a friend, two empty
        (".... .... .... ....", True),
        (".b.. bwb. .b.. ....", None),  # taken
    ],
)
def test_point_beside_one_enemy_and_three_empty_points_is_forbidden(picture: str, allowed: bool | None) -> None:
    now = position(picture)
    assert ("b3" in texts(now)) is bool(allowed)
    if allowed is False:
        sentence = "b3 touches exactly one enemy disc, on b2, and three empty points, "
        assert refusal(now, "b3") == f"{sentence}so you may not place a disc there."


def test_edges_and_corners_are_never_forbidden() -> None:
    now = position(".... .... .... .b..")
    assert {"a1", "c1"} <= set(texts(now))
    assert "b2" not in texts(now)


def test_disc_is_placed_only_on_an_empty_point() -> None:
    now = position(".... .... .bw. ....")
    assert refusal(now, "b2") == "b2 holds an enemy disc: place a disc on an empty point."
    assert refusal(now, "c2") == "c2 holds your own disc: place a disc on an empty point."


def test_point_off_the_board_is_refused() -> None:
    now = opening(4)
    board = "files go from a to d, ranks from 1 to 4."
    assert refusal(now, "e4") == f"There is no point e4 on this board: {board}"
    assert refusal(now, "a0") == f"There is no point a0 on this board: {board}"
    assert refusal(now, "xa1-a16") == f"There is no point a16 on this board: {board}"


# Flipping


@pytest.mark.parametrize(
    ("picture", "legal"),
    [
        (".... .... w... bw..", ["xa1"]),  # in the corner both edges take the colour of the other side
        (".... .... .w.. wbw.", ["xb1"]),  # below b1 the edge takes the colour of b2
        (".... .w.. wbw. .w..", ["xb2"]),
        (".... .w.. wbb. .w..", ["xb2"]),  # three of four
        (".... .w.. wbb. .b..", []),  # two of four
        (".... .ww. bbbb .ww.", ["xb2-c2"]),  # the long walls, four of six
        (".... .bb. wbbw .bb.", []),  # the short walls only
        (".... .... wwww bbbb", ["xa1-d1"]),  # two edges face each other and belong to no one
        (".... wwww bbbb wwww", ["xa2-d2"]),
        (".... wwww bbbb bbbb", ["xa1-d2"]),
        (".wb. .wb. .wb. .wb.", []),  # the right neighbours are missing
        (".wbw .wbw .wbw .wbw", ["xc1-c4"]),
        ("wwbb wwbb wwbb wwbb", ["xc1-d4"]),
        ("bbbb bbbb bbbb bbbb", []),  # the whole board has no walls
        (".www. wbbbw wbbbw wbbbw .www.", ["xb2-d4"]),  # and no rank of it
        (".bwww .wbbw .wbbw .bwww .....", ["xc3-d4"]),  # corners of the walls do not count
    ],
)
def test_legal_rectangles_are_flipped(picture: str, legal: list[str]) -> None:
    assert [text for text in texts(position(picture)) if text.startswith("x")] == legal


@pytest.mark.parametrize(
    ("picture", "text", "sentence"),
    [
        (
            ".... .... w... b...",
            "xa1-b2",
            "b1 is empty: every point of the rectangle must hold an enemy disc.",
        ),
        (
            ".... .... w... bw..",
            "xa1-b1",
            "b1 holds your own disc: every point of the rectangle must hold an enemy disc.",
        ),
        (
            ".... .... w... b...",
            "xa1",
            "The wall right of a1 must be discs of one colour without a gap, but b1 is empty.",
        ),
        (
            ".... wb.. bbw. ww..",
            "xa2-b2",
            "The wall above a2-b2 must be discs of one colour without a gap, but a3 is yours and b3 is not.",
        ),
        (
            ".w.. wbb. wbw. .ww.",
            "xb2-b3",
            "The wall right of b2-b3 must be discs of one colour without a gap, but c2 is yours and c3 is not.",
        ),
        (
            ".... .... bbb. .w..",
            "xb2",
            "The wall above b2 must be discs of one colour without a gap, but b3 is empty.",
        ),
        (
            ".... .... .bw. .w..",
            "xb2",
            "The wall above b2 must be discs of one colour without a gap, but b3 is empty.",
        ),
        (
            ".... .w.. .bw. .w..",
            "xb2",
            "The wall left of b2 must be discs of one colour without a gap, but a2 is empty.",
        ),
        (
            ".... .w.. wbb. .b..",
            "xb2",
            "You own 2 of the 4 points around b2; to flip it you need more than half.",
        ),
        (
            ".... wwww bbbb bbbb",
            "xa2-d2",
            "You own 4 of the 10 points around a2-d2; to flip it you need more than half.",
        ),
        (
            "bbbb bbbb bbbb bbbw",
            "xa1-c4",
            "The wall right of a1-c4 must be discs of one colour without a gap, but d1 is yours and d2 is not.",
        ),
        (
            ".www. wbbbw wbbbw wbbbw .www.",
            "xb2-d2",
            "b2-d2 is part of a bigger rectangle that you can flip, b2-d4: flip that one.",
        ),
    ],
)
def test_illegal_rectangle_is_refused_with_the_reason(picture: str, text: str, sentence: str) -> None:
    assert refusal(position(picture), text) == sentence


def test_complete_board_cannot_be_flipped() -> None:
    now = position("bbbb bbbb bbbb bbbb", ply=15)
    assert NEBUCHADNEZZAR.result(now) == Result((0, 1), "blocked")


def test_flip_turns_all_discs_of_the_rectangle_and_no_others() -> None:
    now = after(position(".www. wbbbw wbbbw wbbbw .www. "), "xb2-d4")
    assert NEBUCHADNEZZAR.write(now)["rows"] == [".www.", "wwwww", "wwwww", "wwwww", ".www."]


# Swapping


def test_swap_exchanges_colours_and_keeps_discs_and_seats() -> None:
    now = opening(4, "b2", "swap")
    assert NEBUCHADNEZZAR.write(now) == {
        "size": 4,
        "rows": ["....", "....", ".b..", "...."],
        "colours": ["white", "black"],
        "to_move": 0,
        "ply": 2,
    }
    assert NEBUCHADNEZZAR.write(after(now, "d4"))["rows"] == ["...w", "....", ".b..", "...."]


@pytest.mark.parametrize(
    "now",
    [
        opening(4),
        opening(4, "b2", "swap"),
        opening(4, "b2", "d4"),
        opening(4, "b2", "d4", "a1"),
        position(".... .... .b.. b...", ply=1),
        position(".... .... .b.. ....", ply=2),
        position(".... .... .w.. ....", ply=1),
        position(".... .... .b.. ....", to_move=0, ply=1),
    ],
)
def test_only_white_may_swap_and_only_in_the_second_turn(now: Position) -> None:
    assert "swap" not in texts(now)
    sentence = "Only White may swap, as its first turn, right after Black's first disc."
    assert refusal(now, "swap") == sentence


# Passing

WHITE_IS_STUCK = "bbbb bbbw bbbw bbbw"
"""White owns 6 of the 12 points around a1-c3: left and right, but not below and above."""


def test_seat_without_a_move_has_to_pass() -> None:
    now = position(WHITE_IS_STUCK, ply=21)
    assert texts(now) == []
    assert NEBUCHADNEZZAR.to_move(now) == (1,)
    assert NEBUCHADNEZZAR.forced(now) == Pass()
    passed = after(now, "pass")
    assert NEBUCHADNEZZAR.write(passed) == NEBUCHADNEZZAR.write(now) | {"to_move": 0, "ply": 22}
    assert NEBUCHADNEZZAR.forced(passed) is None
    assert texts(passed) == ["xd1-d3"]


@pytest.mark.parametrize("now", [opening(4), opening(4, "a1"), position(WHITE_IS_STUCK, to_move=0)])
def test_pass_is_refused_while_a_move_is_possible(now: Position) -> None:
    assert NEBUCHADNEZZAR.forced(now) is None
    assert refusal(now, "pass") == "You may not pass while you can place a disc or flip a rectangle."


# The end


def test_flip_of_the_last_enemy_disc_wins() -> None:
    now = after(position(".... .... w... bw.."), "xa1")
    assert NEBUCHADNEZZAR.result(now) == Result((1,), "annihilation")
    assert NEBUCHADNEZZAR.to_move(now) == ()
    assert texts(now) == []
    assert refusal(now, "d4") == "The game is over."


def test_winner_is_the_seat_with_the_winning_colour() -> None:
    swapped = NEBUCHADNEZZAR.write(position(".... .... w... bw..", to_move=0)) | {"colours": ["white", "black"]}
    now = after(NEBUCHADNEZZAR.read({"size": 4}, swapped), "xa1")
    assert NEBUCHADNEZZAR.result(now) == Result((0,), "annihilation")


@pytest.mark.parametrize("turns", [(), ("b2",), ("b2", "swap")])
def test_colour_without_discs_at_the_start_has_not_lost(turns: tuple[str, ...]) -> None:
    now = opening(4, *turns)
    assert NEBUCHADNEZZAR.result(now) is None
    assert NEBUCHADNEZZAR.result(NEBUCHADNEZZAR.read({"size": 4}, NEBUCHADNEZZAR.write(now))) is None


def test_colour_without_discs_has_not_lost_before_the_first_flip() -> None:
    now = position(".... bb.. .... .bb.", ply=4)
    assert NEBUCHADNEZZAR.result(now) is None
    assert NEBUCHADNEZZAR.result(after(now, "d4")) is None


def test_won_game_is_over_even_without_memory() -> None:
    won = NEBUCHADNEZZAR.write(after(position(".... .... w... bw..", ply=7), "xa1"))
    assert NEBUCHADNEZZAR.result(NEBUCHADNEZZAR.read({"size": 4}, won)) == Result((1,), "annihilation")


def test_annihilation_takes_precedence_over_blocked() -> None:
    now = after(position(WHITE_IS_STUCK, to_move=0), "xd1-d3")
    assert NEBUCHADNEZZAR.result(now) == Result((0,), "annihilation")


@pytest.mark.parametrize("to_move", [0, 1])
def test_board_without_moves_for_both_is_drawn(to_move: int) -> None:
    now = position("bbbb bbbb bbbb bbbb", to_move=to_move, ply=16)
    assert NEBUCHADNEZZAR.result(now) == Result((0, 1), "blocked")
    assert NEBUCHADNEZZAR.forced(now) is None


def test_third_repetition_is_a_draw() -> None:
    now = position(WHITE_IS_STUCK)
    passed = after(now, "pass")
    (first,) = NEBUCHADNEZZAR.memory(passed)
    second = NEBUCHADNEZZAR.memory(after(passed, "xd1-d3"))[-1]
    assert NEBUCHADNEZZAR.result(position(WHITE_IS_STUCK, memory=(first,))) is None
    assert NEBUCHADNEZZAR.result(position(WHITE_IS_STUCK, memory=(first, second, first))) == Result(
        (0, 1), "repetition"
    )
    assert NEBUCHADNEZZAR.result(after(position(WHITE_IS_STUCK, memory=(second,)), "pass")) is None
    drawn = after(position(WHITE_IS_STUCK, memory=(second, second)), "pass")
    assert NEBUCHADNEZZAR.result(drawn) == Result((0, 1), "repetition")


def test_memory_contains_positions_since_the_last_placement() -> None:
    now = position(".... w... bw.. w...", to_move=1)
    flipped = after(now, "xa2")
    assert len(NEBUCHADNEZZAR.memory(flipped)) == 1
    assert (
        NEBUCHADNEZZAR.read({"size": 4}, NEBUCHADNEZZAR.write(flipped), NEBUCHADNEZZAR.memory(flipped))
        == flipped
    )
    assert NEBUCHADNEZZAR.memory(opening(4, "b2", "d4")) == ()
    assert NEBUCHADNEZZAR.memory(opening(4, "b2", "swap")) == ()


def test_every_reason_has_words() -> None:
    assert sorted(NEBUCHADNEZZAR.reasons) == ["annihilation", "blocked", "repetition"]

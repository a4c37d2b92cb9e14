"""Nibble, rule by rule."""

from __future__ import annotations

import json

import pytest

from rules.chance import Chance
from rules.drawing import ascii_board
from rules.errors import BadData
from rules.game import Json, Step
from rules.games.nibble.board import NAMES
from rules.games.nibble.position import Position
from rules.reasons import Reason
from rules.result import Result
from rules.sentences import SeatNames
from tests.support.rules.naive import nibble as naive
from tests.support.rules.positions.nibble import (
    COUNTS,
    NIBBLE,
    RECORDS,
    game,
    hex_13,
    moved,
    square_9,
    start,
    texts,
)

# The start of a game


@pytest.mark.parametrize(
    ("given", "board"),
    [
        ({}, "square-9"),
        ({"board": "square-9"}, "square-9"),
        ({"board": " Square-13 "}, "square-13"),
        ({"board": "HEX-13"}, "hex-13"),
    ],
)
def test_options_are_read(given: dict[str, object], board: str) -> None:
    assert NIBBLE.options(given) == {"board": board}


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"board": "square-8"}, "The board is square-9, square-13 or hex-13, not square-8."),
        ({"board": 9}, "The board is square-9, square-13 or hex-13, not 9."),
        ({"board": None}, "The board is square-9, square-13 or hex-13, not none."),
        ({"size": 9}, "Nibble has no option “size”; it has board."),
    ],
)
def test_unknown_options_are_refused(given: dict[str, object], error: str) -> None:
    with pytest.raises(BadData) as caught:
        NIBBLE.options(given)
    assert str(caught.value) == error


@pytest.mark.parametrize("board", NAMES)
def test_game_starts_with_a_full_board_and_the_first_seat(board: str) -> None:
    options = {"board": board}
    setup = NIBBLE.setup(options, Chance(bytes(32), "layout"))
    none = [0] * COUNTS[board]
    written = NIBBLE.write(NIBBLE.start(options, setup))
    assert list(written.items()) == [
        ("board", board), ("rows", setup["rows"]), ("taken", [none, none]), ("to_move", 0)
    ]  # fmt: skip
    assert [len(row) for row in setup["rows"]] == [len(row) for row in naive.names(board)]
    assert NIBBLE.to_move(start(board)) == (0,)
    assert NIBBLE.seats(options) == ("First", "Second")


NINE_ROWS = "“rows” are 9 texts from the top row down, of 9 letters."


def rows_with(**changed: str) -> list[str]:
    """Return the layout of a recorded game with some squares changed."""
    rows = [list(row) for row in json.loads(RECORDS[3].read_text())["setup"]["rows"]]
    for name, letter in changed.items():
        rows[9 - int(name[1])]["abcdefghi".index(name[0])] = letter
    return ["".join(row) for row in rows]


@pytest.mark.parametrize(
    ("setup", "error"),
    [
        ({}, NINE_ROWS),
        ({"rows": "ABC"}, NINE_ROWS),
        ({"rows": [*rows_with(), 9]}, NINE_ROWS),
        ({"rows": rows_with()[1:]}, NINE_ROWS),
        ({"rows": rows_with(a9="J")}, "“J” at a9 is none of the letters A to I."),
        ({"rows": rows_with(a9="i")}, "“i” at a9 is none of the letters A to I."),
        ({"rows": rows_with(a9=".")}, "There are 8 blocks of I pink, left and taken; there must be 9."),
        ({"rows": rows_with(a9="C")}, "There are 10 blocks of C yellow, left and taken; there must be 9."),
        ({"rows": rows_with(b9="I", a9="A")}, "The block of A red at a8 touches another of its colour."),
    ],
)  # fmt: skip
def test_illegal_layouts_are_refused(setup: Json, error: str) -> None:
    with pytest.raises(BadData) as caught:
        NIBBLE.start({"board": "square-9"}, setup)
    assert str(caught.value) == error


def test_rows_of_hexagons_have_different_lengths() -> None:
    sentence = r"^“rows” are 15 texts from the top row down, of 8, 9, 10, 11, .*, 10, 9, 8 letters\.$"
    with pytest.raises(BadData, match=sentence):
        NIBBLE.start({"board": "hex-13"}, {"rows": ["ABC"]})


# Positions as data


def test_position_is_written_as_on_the_rules_page() -> None:
    position = square_9("AB", "CA")
    position = NIBBLE.play(position, {0: NIBBLE.parse(position, 0, "a9")})
    assert NIBBLE.write(position) == {
        "board": "square-9",
        "rows": [".B.......", "CA.......", *["........."] * 7],
        "taken": [[4, 4, 4, 4, 4, 4, 4, 4, 4], [4, 4, 4, 5, 5, 5, 5, 5, 5]],
        "to_move": 1,
    }


ALL_BUT_ONE = [[8, 4, 4, 4, 4, 4, 4, 4, 4], [0, 5, 5, 5, 5, 5, 5, 5, 5]]
EMPTY_BUT_A9 = ["A........", *["........."] * 8]


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"board": None}, "The board of the position is None, but the options have “square-9”."),
        ({"board": "hex-13"}, "The board of the position is 'hex-13', but the options have “square-9”."),
        ({"rows": ["A"]}, NINE_ROWS),
        ({"rows": ["?........", *["........."] * 8]}, "“?” at a9 is none of the letters A to I."),
        ({"taken": 5}, "“taken” are two lists, one for each seat, of 9 numbers each."),
        ({"taken": ALL_BUT_ONE[:1]}, "“taken” are two lists, one for each seat, of 9 numbers each."),
        ({"taken": [[1] * 9, [1] * 8]}, "“taken” are two lists, one for each seat, of 9 numbers each."),
        ({"taken": [[1] * 9, 9]}, "“taken” are two lists, one for each seat, of 9 numbers each."),
        ({"taken": [["8"] * 9, [0] * 9]}, "“taken” counts blocks in whole numbers from 0."),
        ({"taken": [[True] * 9, [8] * 9]}, "“taken” counts blocks in whole numbers from 0."),
        ({"taken": [[-1] * 9, [10] * 9]}, "“taken” counts blocks in whole numbers from 0."),
        ({"taken": [[4] * 9, [5] * 9]}, "There are 10 blocks of A red, left and taken; there must be 9."),
        ({"to_move": 2}, "“to_move” is seat 0 or 1, not 2."),
        ({"to_move": True}, "“to_move” is seat 0 or 1, not True."),
        ({"to_move": "0"}, "“to_move” is seat 0 or 1, not '0'."),
        (
            {"taken": [[8, 9, 4, 4, 4, 4, 4, 4, 4], [0, 0, 5, 5, 5, 5, 5, 5, 5]]},
            "First is to move, but has won already.",
        ),
    ],
)
def test_impossible_positions_are_refused(changed: Json, error: str) -> None:
    good = {"board": "square-9", "rows": EMPTY_BUT_A9, "taken": ALL_BUT_ONE, "to_move": 0}
    assert NIBBLE.write(NIBBLE.read({"board": "square-9"}, good)) == good
    with pytest.raises(BadData) as caught:
        NIBBLE.read({"board": "square-9"}, good | changed)
    assert str(caught.value) == error


@pytest.mark.parametrize("key", ["board", "rows", "taken", "to_move"])
def test_incomplete_position_is_refused(key: str) -> None:
    written = NIBBLE.write(start())
    del written[key]
    with pytest.raises(BadData, match=f"^A position of Nibble needs “{key}”.$"):
        NIBBLE.read({"board": "square-9"}, written)


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        (("A.B",), "The blocks that are left are not one group."),
        (("AB", "..C"), "The blocks that are left are not one group."),
        (("ABB",), "The block of B orange at b9 touches another of its colour."),
        (("AB", "DB"), "The block of B orange at b8 touches another of its colour."),
    ],
)
def test_impossible_remaining_blocks_are_refused(rows: tuple[str, ...], error: str) -> None:
    with pytest.raises(BadData) as caught:
        square_9(*rows)
    assert str(caught.value) == error


# Legal takes


@pytest.mark.parametrize(
    ("rows", "moves"),
    [
        (["A"], ["a9"]),
        (["ABC"], ["a9", "c9"]),
        (["AB", "CD"], ["a8", "a9", "b8", "b9"]),
        # a9 is exposed enough, but without it b9 and a8 would not touch.
        (["AB", "C"], ["a8", "b9"]),
        # Each A may be taken, but without both B and C would not touch.
        (["AB", "CA"], ["a8", "a9", "b8", "b9"]),
        (["ABA"], ["a9", "c9", "a9 c9"]),
        (["ABA", "CDC"], ["a8", "a9", "c8", "c9", "a8 c8", "a9 c9"]),
        ([".A.", "ABA"], ["a8", "b9", "c8", "a8 b9", "a8 c8", "b9 c8", "a8 b9 c8"]),
        # Around a hole: the middle of a side is exposed on two sides that do not follow one another.
        (["ABC", "D.E", "FGH"], ["a7", "a9", "c7", "c9"]),
        # A hole frees c8 and d7: both are exposed on the left and below.
        (["ABCDE", "F.GHI", "A..BC", "D...E", "FGHIA"], ["a5", "a9", "c8", "d7", "e5", "e9"]),
    ],
)
def test_takes_on_squares(rows: list[str], moves: list[str]) -> None:
    assert texts(square_9(*rows)) == moves


@pytest.mark.parametrize(
    ("rows", "moves"),
    [
        ({"a": "A"}, ["a1"]),
        # a2 has four exposed sides, but only two and two that follow one another.
        ({"a": "ABC"}, ["a1", "a3"]),
        ({"a": "AB", "b": ".C"}, ["a1", "a2", "b2"]),
        # b2 is exposed on three sides and more, but without it a2 and b1 would not touch.
        ({"a": ".A", "b": "BC"}, ["a2", "b1"]),
        ({"h": ".A", "i": "B"}, ["h2", "i1"]),
        ({"g": "A", "h": "BC"}, ["g1", "h1", "h2"]),
        ({"a": "ABA"}, ["a1", "a3", "a1 a3"]),
        ({"b": ".AB", "c": ".CDE", "d": "..AB"}, ["b2", "b3", "c2", "c4", "d3", "d4", "b2 d3", "b3 d4"]),
    ],
)
def test_takes_on_hexagons(rows: dict[str, str], moves: list[str]) -> None:
    assert texts(hex_13(**rows)) == moves


def test_no_take_out_of_turn_or_after_the_end() -> None:
    position = square_9("AB", "CD")
    assert not list(NIBBLE.moves(position, 1))
    assert NIBBLE.examples(position, 1) == ()
    over = moved("square-9", {"A": 9}, {}, mover=0)
    assert NIBBLE.to_move(over) == ()
    for seat in (0, 1):
        assert not list(NIBBLE.moves(over, seat))
        assert NIBBLE.examples(over, seat) == ()
    assert NIBBLE.listing(over) == []


def test_listing_stops_at_its_limit() -> None:
    position = square_9(".A.", "ABA")
    assert NIBBLE.listing(position) == ["a8", "b9", "c8", "a8 b9", "a8 c8", "b9 c8", "a8 b9 c8"]
    assert NIBBLE.listing(position, limit=2) == ["a8", "b9"]


# The end of a game


@pytest.mark.parametrize(
    ("board", "held", "reason"),
    [
        ("square-9", {"A": 9}, "monochrome"),
        ("square-9", {"I": 9}, "monochrome"),
        ("square-9", {"A": 8, "B": 8, "D": 8, "E": 8, "G": 8, "H": 8}, None),
        ("square-9", {"A": 7, "B": 7, "C": 7}, "triple"),
        ("square-9", {"G": 8, "H": 7, "I": 7}, "triple"),
        ("square-9", {"C": 8, "D": 6, "E": 8}, None),
        # The row of colours does not close into a ring.
        ("square-9", {"A": 7, "H": 7, "I": 7}, None),
        ("square-9", {"A": 9, "B": 7, "C": 7}, "monochrome"),
        ("square-13", {"M": 13}, "monochrome"),
        ("square-13", {"M": 12, "L": 9, "K": 12}, None),
        ("square-13", {"M": 10, "L": 10, "K": 10}, "triple"),
        ("hex-13", {"F": 13}, "monochrome"),
        ("hex-13", {"F": 9, "G": 12, "H": 12}, None),
        ("hex-13", {"F": 10, "G": 11, "H": 12}, "triple"),
        ("hex-13", {"A": 10, "B": 10, "M": 10}, None),
    ],
)
@pytest.mark.parametrize("mover", [0, 1])
def test_complete_colour_or_triple_wins_immediately(
    board: str, held: dict[str, int], reason: str | None, mover: int
) -> None:
    seats = (held, {}) if mover == 0 else ({}, held)
    position = moved(board, *seats, mover=mover)
    assert NIBBLE.result(position) == (Result((mover,), reason) if reason else None)
    assert NIBBLE.to_move(position) == (() if reason else (1 - mover,))


@pytest.mark.parametrize("mover", [0, 1])
def test_empty_board_is_decided_by_majorities(mover: int) -> None:
    first = dict.fromkeys("ABDEG", 5) | dict.fromkeys("CFHI", 1)
    second = dict.fromkeys("ABDEG", 4) | dict.fromkeys("CFHI", 8)
    over = Result((0,), "majority", (5, 4))
    assert NIBBLE.result(moved("square-9", first, second, mover=mover, left="")) == over
    first = dict.fromkeys("ABDEGK", 7) | dict.fromkeys("CFHIJLM", 6)
    second = dict.fromkeys("ABDEGK", 6) | dict.fromkeys("CFHIJLM", 7)
    over = Result((1,), "majority", (6, 7))
    assert NIBBLE.result(moved("hex-13", first, second, mover=mover, left="")) == over
    assert NIBBLE.result(moved("hex-13", first, second, mover=mover)) is None


def test_last_block_can_complete_a_colour() -> None:
    taken = [[8, 4, 4, 4, 4, 4, 4, 4, 4], [0, 5, 5, 5, 5, 5, 5, 5, 5]]
    given = {"board": "square-9", "rows": EMPTY_BUT_A9, "taken": taken, "to_move": 0}
    position = NIBBLE.read({"board": "square-9"}, given)
    after = NIBBLE.play(position, {0: NIBBLE.parse(position, 0, "a9")})
    assert NIBBLE.result(after) == Result((0,), "monochrome")
    given["to_move"] = 1
    position = NIBBLE.read({"board": "square-9"}, given)
    after = NIBBLE.play(position, {1: NIBBLE.parse(position, 1, "a9")})
    assert NIBBLE.result(after) == Result((1,), "majority", (1, 8))
    assert NIBBLE.write(after)["to_move"] == 0


def test_every_reason_has_words() -> None:
    assert set(NIBBLE.reasons) == {"monochrome", "triple", "majority"}


# For people


def test_picture_of_squares() -> None:
    position = square_9("AB", "CD")
    move = NIBBLE.parse(position, 0, "a9")
    after = NIBBLE.play(position, {0: move})
    drawn = ascii_board(NIBBLE.diagram(after, Step(position, {0: move}, after))).splitlines()
    assert drawn[:4] == [
        "   a  b  c  d  e  f  g  h  i",
        "9|[.] B  .  .  .  .  .  .  . |9",
        "8| C  D  .  .  .  .  .  .  . |8",
        "7| .  .  .  .  .  .  .  .  . |7",
    ]
    assert drawn[-5:] == [
        "Taken, First:Second",
        "A red 5:4, B orange 4:4, C yellow 4:4, D lime 4:4, E green 4:5",
        "F teal 4:5, G blue 4:5, H purple 4:5, I pink 4:5",
        "Instant win: all 9 of a colour, or 7 each of three in a row (C D E).",
        "Wins on the empty board: 5 or more each of 5 or more colours.",
    ]


def test_picture_of_hexagons_marks_a_plan() -> None:
    position = hex_13(a="AB", b=".C")
    drawn = ascii_board(NIBBLE.diagram(position, plan=NIBBLE.parse(position, 0, "b2"))).splitlines()
    assert drawn[13:15] == [
        "             b1  .  [C]  .   .   .   .   .   .   .   b9",
        "               a1  A   B   .   .   .   .   .   .   a8",
    ]


@pytest.mark.parametrize("board", NAMES)
def test_picture_contains_everything_within_72_columns(board: str) -> None:
    for before, move in game(board, 3):
        after = NIBBLE.play(before, {before.to_move: move})
        diagram = NIBBLE.diagram(after, Step(before, {before.to_move: move}, after))
        cells = [cell for row in diagram.rows for cell in row.cells]
        assert "".join(cell.text or "." for cell in cells) == "".join(NIBBLE.write(after)["rows"])
        assert {cell.name for cell in cells if cell.mark} == set(move.squares)
        assert all(len(line) <= 72 and line.isascii() for line in ascii_board(diagram).splitlines())


@pytest.mark.parametrize(
    ("taken", "text", "story"),
    [
        (3, "a9", "First now has 4 of the 9 red blocks."),
        (4, "a9", "First now has 5 of the 9 red blocks, the majority."),
        (7, "a9 c9", "First now has all 9 red blocks."),
    ],
)
def test_story_counts_the_blocks_of_a_colour(taken: int, text: str, story: str) -> None:
    none = (0,) * 9
    before = Position("square-9", square_9("ABA").blocks, ((taken, *none[1:]), none))
    move = NIBBLE.parse(before, 0, text)
    after = NIBBLE.play(before, {0: move})
    assert NIBBLE.story(Step(before, {0: move}, after)) == [story]
    assert NIBBLE.story(Step(before, {}, before, left=(1, Reason.TIMEOUT))) == []


@pytest.mark.parametrize(
    ("reader", "who"), [(None, "Ann now has"), (0, "You now have"), (1, "Ann now has")], ids=str
)
def test_story_names_the_players(reader: int | None, who: str) -> None:
    before = square_9("ABA")
    move = NIBBLE.parse(before, 0, "a9")
    played = Step(before, {0: move}, NIBBLE.play(before, {0: move}))
    assert NIBBLE.story(played, SeatNames(("Ann", "Ben"), reader)) == [f"{who} 4 of the 9 red blocks."]


@pytest.mark.parametrize(
    ("rows", "examples"),
    [
        (["A"], ("a9", "take red")),
        (["ABA"], ("a9", "a9 c9", "take red")),
        (["ABA", "CDC"], ("a9", "a8 c8", "take red")),
        (["AB", "CA"], ("a9", "a8", "take orange")),
    ],
)
def test_examples_are_different_legal_moves(rows: list[str], examples: tuple[str, ...]) -> None:
    assert NIBBLE.examples(square_9(*rows), 0) == examples

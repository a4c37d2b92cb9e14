"""Nardshir for people and programs: pictures, stories, examples, forms, and positions as data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.drawing import ascii_board
from rules.drawing.diagram import Arrow, Diagram, Die
from rules.errors import BadData
from rules.game import Step
from rules.games.nardshir.board import OFF, Turn
from rules.games.nardshir.position import Position
from rules.reasons import Reason
from tests.support.rules.positions.nardshir import NARDSHIR, START, board, random_game, step

CROWDED = board({1: 2, 7: 5, 10: 6, 20: 1}, {1: 1, 23: 2, 25: 11}, 3, 5)


def shown(diagram: Diagram, name: str) -> str:
    """Return the cells of a name, from the top; a marked one in brackets, an empty one as a dot."""
    cells = [cell for row in diagram.rows for cell in row.cells if cell.name == name]
    return " ".join(f"[{cell.text}]" if cell.mark else cell.text or "." for cell in cells)


# The picture


def test_picture_has_the_numbers_of_both_sides() -> None:
    assert ascii_board(NARDSHIR.diagram(CROWDED)).splitlines() == [
        "O  12  11  10  9   8   7   in  6   5   4   3   2   1   off  O",
        "X  13  14  15  16  17  18  in  19  20  21  22  23  24  off  X",
        "   .   .   .   .   .   .   O   .   X   .   .   .   O",
        "   .   .   .   .   .   .       .   .   .   .   .   .",
        "   .   .   .   .   .   .       .   .   .   .   .   .",
        "   .   .   .   .   .   .       .   .   .   .   .   .",
        "   .   .   .   .   .   .       .   .   .   .   .   .",
        "",
        "   .   .   6   .   .   X       .   .   .   .   .   .   11",
        "   .   .   X   .   .   X       .   .   .   .   .   .   O",
        "   .   .   X   .   .   X       .   .   .   .   .   .   O",
        "   .   .   X   .   .   X       .   .   .   .   O   X   O",
        "   .   .   X   .   .   X   X   .   .   .   .   O   X   O",
        "X  12  11  10  9   8   7   in  6   5   4   3   2   1   off  X",
        "O  13  14  15  16  17  18  in  19  20  21  22  23  24  off  O",
        "X: 1 in hand, 0 off. O: 1 in hand, 11 off.",
        "X plays 3 and 5. Its points are numbered in the lines X.",
    ]


def test_points_are_numbered_from_the_side_to_move() -> None:
    x, o = NARDSHIR.diagram(CROWDED), NARDSHIR.diagram(board({1: 2, 7: 5}, {1: 1, 25: 11}, 3, 5, to_move=1))
    assert (shown(x, "7"), shown(x, "2"), shown(x, "hand"), shown(x, "off")) == (
        "X X X X X",
        ". . . O O",
        ". . . . X",
        ". . . . .",
    )
    assert (shown(o, "18"), shown(o, "1"), shown(o, "hand"), shown(o, "off")) == (
        "X X X X X",
        "O . . . .",
        "O O O . .",
        "11 O O O O",
    )
    assert [row.label for row in o.rows if row.label] == ["X", "O", "O", "X"]


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_dice_are_shown_until_the_next_roll(seat: int | None) -> None:
    played = step(CROWDED, "7/10 7/12")
    assert NARDSHIR.seen(CROWDED, seat).dice == (Die(3), Die(5))
    assert NARDSHIR.seen(played.after, seat, played).dice == (Die(3, "used"), Die(5, "used"))
    assert NARDSHIR.seen(NARDSHIR.roll(played.after, [6, 1]), seat, played).dice == (Die(6), Die(1))
    assert NARDSHIR.seen(played.after, seat).dice == ()
    before = replace(CROWDED, dice=())
    resigned = Step[Position, Turn](before, {}, before, left=(0, Reason.RESIGNED))
    assert NARDSHIR.seen(CROWDED, seat, resigned).dice == (Die(3), Die(5))


def test_picture_for_a_player_is_turned_with_their_numbers() -> None:
    assert ascii_board(NARDSHIR.seen(CROWDED, 0)).splitlines() == [
        "  12  11  10  9   8   7   in  6   5   4   3   2   1   off",
        "  .   .   X   .   .   X   X   .   .   .   .   O   X   O",
        "  .   .   X   .   .   X       .   .   .   .   O   X   O",
        "  .   .   X   .   .   X       .   .   .   .   .   .   O",
        "  .   .   X   .   .   X       .   .   .   .   .   .   O",
        "  .   .   6   .   .   X       .   .   .   .   .   .   11",
        "",
        "  .   .   .   .   .   .       .   .   .   .   .   .",
        "  .   .   .   .   .   .       .   .   .   .   .   .",
        "  .   .   .   .   .   .       .   .   .   .   .   .",
        "  .   .   .   .   .   .       .   .   .   .   .   .",
        "  .   .   .   .   .   .   O   .   X   .   .   .   O",
        "  13  14  15  16  17  18  in  19  20  21  22  23  24  off",
        "X: 1 in hand, 0 off. O: 1 in hand, 11 off.",
        "X plays 3 and 5.",
        "The numbers are those of X; O counts 25 minus them.",
    ]


@pytest.mark.parametrize("seat", [0, 1])
def test_board_for_a_player_runs_from_top_right_to_bottom_right(seat: int) -> None:
    """Their discs come in at the top right and go off at the bottom right."""
    diagram = NARDSHIR.seen(CROWDED, seat)
    rows = [row for row in diagram.rows if row.cells[-1].ground]
    assert (rows[0].cells[6].name, rows[0].cells[-2].name) == ("hand", "1")
    assert (rows[-1].cells[-1].name, rows[-1].cells[-2].name) == ("off", "24")
    assert diagram.dice == (Die(3), Die(5))


def test_marks_and_plans_are_turned_with_the_board() -> None:
    played = step(CROWDED, "hand/3 1/6")
    for seat, names in ((0, {"3", "6"}), (1, {"22", "19"})):
        diagram = NARDSHIR.seen(played.after, seat, played)
        assert {cell.name for row in diagram.rows for cell in row.cells if cell.mark} == names
    plan = played.moves[0]
    assert NARDSHIR.seen(CROWDED, 0, plan=plan).arrows == NARDSHIR.diagram(CROWDED, plan=plan).arrows


def test_every_point_has_five_cells() -> None:
    names = [cell.name for row in NARDSHIR.diagram(CROWDED).rows for cell in row.cells if cell.name]
    assert sorted(names) == sorted(["hand", "off", *map(str, range(1, OFF))] * 5)


@pytest.mark.parametrize("number", range(0, 200, 23))
def test_picture_shows_all_discs(number: int) -> None:
    now = list(random_game(7))[number].before
    mine, theirs = now.sides(now.to_move)
    for point in range(1, OFF):
        cells = shown(NARDSHIR.diagram(now), str(point)).replace(" ", "").strip(".")
        sign, count = (
            "XO"[now.to_move if mine[point] else 1 - now.to_move],
            max(mine[point], theirs[OFF - point]),
        )
        expected = sign * count if count <= 5 else sign * 4
        assert cells.strip("0123456789") == expected
        assert count <= 5 or str(count) in cells


def test_moved_and_hit_discs_are_marked() -> None:
    played = step(board({7: 2, 12: 1}, {10: 1}, 3, 5), "12/15* 7/12")
    picture = NARDSHIR.diagram(played.after, played)
    assert shown(picture, "10") == "[X] . . . ."
    assert shown(picture, "13") == ". . . . [X]"
    assert shown(picture, "18") == ". . . . X"
    assert shown(picture, "hand") == "O O O O [15]"


def test_only_the_end_of_a_discs_path_is_marked() -> None:
    played = step(board({7: 1, 10: 1}, {}, 3, 5), "7/10 10/15")
    picture = NARDSHIR.diagram(played.after, played)
    assert shown(picture, "15") == ". . . . X"
    assert shown(picture, "10") == "[X] . . . ."


def test_discs_added_to_a_high_stack_are_marked() -> None:
    played = step(board({5: 1, 7: 1, 10: 6}, {}, 3, 5), "7/10 5/10")
    assert shown(NARDSHIR.diagram(played.after, played), "15") == "[8] [X] X X X"


def test_nothing_is_marked_without_a_turn() -> None:
    assert "[" not in ascii_board(NARDSHIR.diagram(CROWDED))


def test_plan_is_drawn_as_arrows() -> None:
    now = board({22: 1, 20: 1}, {22: 1}, 3, 5)
    picture = NARDSHIR.diagram(now, plan=NARDSHIR.parse(now, 0, "22/off hand/5"))
    assert picture.arrows == (Arrow("22", "off"), Arrow("hand", "5"))
    assert [shown(picture, name) for name in ("22", "off", "hand", "5", "20")] == ["X", ".", "13", ".", "X"]
    hit = NARDSHIR.diagram(now, plan=NARDSHIR.parse(now, 0, "hand/3* hand/5"))
    assert hit.arrows == (Arrow("hand", "3", "hit"), Arrow("hand", "5"))
    assert shown(hit, "3") == "O"


@pytest.mark.parametrize(
    ("now", "captions"),
    [
        (START, ["X: 15 in hand, 0 off. O: 15 in hand, 0 off.", "X is to roll."]),
        (
            board({24: 3}, {}, 4, 4, to_move=1),
            [
                "X: 12 in hand, 0 off. O: 15 in hand, 0 off.",
                "O plays 4, 4, 4 and 4. Its points are numbered in the lines O.",
            ],
        ),
        (
            board({}, {}, quiet=500),
            [
                "X: 15 in hand, 0 off. O: 15 in hand, 0 off.",
                "X is to roll.",
                "No disc was borne off for 500 turns; after 600 the game is a draw.",
            ],
        ),
        (board({25: 15}, {}, to_move=1), ["X: 0 in hand, 15 off. O: 15 in hand, 0 off."]),
        (board({}, {}, quiet=600), ["X: 15 in hand, 0 off. O: 15 in hand, 0 off."]),
    ],
)
def test_captions_name_hand_off_and_dice(now: Position, captions: list[str]) -> None:
    assert list(NARDSHIR.diagram(now).captions) == captions


# The story


@pytest.mark.parametrize(
    ("now", "text", "story"),
    [
        (NARDSHIR.roll(START, (3, 5)), "hand/3 hand/5", []),
        (
            board({7: 1}, {15: 1, 10: 1}, 3, 5),
            "7/10* 10/15*",
            [
                "X hit the disc of O on 15 (10 for X): it is back in hand.",
                "X hit the disc of O on 10 (15 for X): it is back in hand.",
            ],
        ),
        (board({}, {22: 2, 20: 2}, 3, 5), "pass", ["X could play neither 3 nor 5 and passed."]),
        (board({}, {22: 2}, 3, 5), "hand/5 5/8", []),
        (board({18: 1, 25: 14}, {4: 2}, 1, 2), "18/20", ["X could not play 1."]),
        (
            board({2: 2}, {22: 2, 24: 1, 25: 12}, 1, 1, to_move=1),
            "24/off",
            ["O bore off 1 disc and has 2 left.", "O could play only one of the four 1s."],
        ),
        (board({24: 2, 25: 13}, {}, 1, 1), "24/off 24/off", ["X bore off 2 discs and has none left."]),
    ],
)
def test_story_of_a_turn(now: Position, text: str, story: list[str]) -> None:
    assert NARDSHIR.story(step(now, text)) == story


def test_story_is_empty_when_a_seat_has_left() -> None:
    assert NARDSHIR.story(Step(CROWDED, {}, CROWDED, (0, Reason.RESIGNED))) == []


# Examples and the form


@pytest.mark.parametrize(
    ("now", "examples"),
    [
        (NARDSHIR.roll(START, (3, 5)), ("hand/3 hand/5", "hand/3/8")),
        (board({22: 1, 19: 1}, {22: 1}, 3, 5), ("hand/3* hand/5", "22/off hand/5", "hand/5/8", "hand-5 19-22")),
        (board({22: 2, 25: 13}, {}, 3, 3), ("22/off 22/off",)),
    ],
)
def test_examples_are_as_different_as_possible(now: Position, examples: tuple[str, ...]) -> None:
    assert NARDSHIR.examples(now, now.to_move) == examples


# Positions as data


DATA = NARDSHIR.write(board({1: 2, 7: 3, 25: 4}, {1: 1, 23: 2}, 3, 5, to_move=1, quiet=7))


def test_position_is_written_as_on_the_rules_page() -> None:
    data = NARDSHIR.write(board({1: 2, 7: 3, 25: 4}, {1: 1, 23: 2}, 3, 5, to_move=1, quiet=7))
    assert data == {
        "points": [[2, *[0] * 5, 3, *[0] * 17], [1, *[0] * 21, 2, 0]],
        "hand": [6, 12],
        "off": [4, 0],
        "to_move": 1,
        "dice": [3, 5],
        "turn": 9,
        "quiet_turns": 7,
    }
    assert NARDSHIR.write(NARDSHIR.read({}, data)) == data


def test_double_is_written_four_times() -> None:
    assert NARDSHIR.write(NARDSHIR.roll(START, (6, 6)))["dice"] == [6, 6, 6, 6]


def side(**points: int) -> list[int]:
    return [points.get(f"p{point}", 0) for point in range(1, OFF)]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"size": 8},
            "A position of Nardshir has points, hand, off, to_move, dice, turn, quiet_turns, and nothing",
        ),
        ({"points": [side(p1=2, p7=3)]}, "“points” is a list of 2"),
        ({"points": [side(p1=2, p7=3), [0] * 23]}, "“points” of a seat is a list of 24"),
        ({"points": [side(p1=2, p7=3), [0] * 23 + ["1"]]}, "a number of discs is a whole number from 0 to 15"),
        (
            {"points": [side(p1=2, p7=4, p8=-1), side(p1=1, p23=2)]},
            "a number of discs is a whole number from 0 to 15",
        ),
        (
            {"points": [side(p1=2, p7=4), side(p1=1, p23=2)]},
            "X must have 15 discs in hand, on points and off, not 16",
        ),
        (
            {"points": [side(p1=3, p7=2), side(p1=1, p23=2)]},
            "X has more than 2 discs on one of its points 1 to 6",
        ),
        (
            {"points": [side(p1=2, p2=3), side(p1=1, p23=2)]},
            "X has more than 2 discs on one of its points 1 to 6",
        ),
        ({"points": [side(p1=2, p7=3), side(p1=1, p18=2)]}, "Both sides have discs on point 7 of X"),
        ({"hand": [6, True]}, "a number of discs is a whole number from 0 to 15"),
        ({"hand": 12}, "“hand” is a list of 2"),
        ({"off": [4, 0, 0]}, "“off” is a list of 2"),
        (
            {"hand": [0, 0], "off": [15, 15], "points": [side(), side()]},
            "Only one side can have all its discs off",
        ),
        ({"to_move": 2}, "“to_move” is a whole number from 0 to 1"),
        ({"to_move": "0"}, "“to_move” is a whole number from 0 to 1"),
        ({"turn": 0}, "“turn” is a whole number from 1 on"),
        ({"quiet_turns": -1}, "“quiet_turns” is a whole number from 0 on"),
        ({"dice": [3]}, "The dice are two different numbers, one number four times, or none"),
        ({"dice": [3, 3]}, "The dice are two different numbers, one number four times, or none"),
        ({"dice": [3, 3, 3, 5]}, "The dice are two different numbers, one number four times, or none"),
        ({"dice": "35"}, "The dice are two different numbers, one number four times, or none"),
        ({"dice": [3, 7]}, "a die is a whole number from 1 to 6"),
        ({"quiet_turns": 600}, "This game is over, so it has no dice"),
        (
            {"hand": [0, 12], "off": [15, 0], "points": [side(), side(p1=1, p23=2)]},
            "This game is over, so it has no",
        ),
    ],
)
def test_impossible_position_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadData) as refused:
        NARDSHIR.read({}, {**DATA, **change})
    assert sentence in str(refused.value)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("key", list(DATA))
def test_incomplete_position_is_refused(key: str) -> None:
    with pytest.raises(BadData, match="A position of Nardshir has points"):
        NARDSHIR.read({}, {name: value for name, value in DATA.items() if name != key})

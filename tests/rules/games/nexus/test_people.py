"""The pictures and texts for players of NEXUS."""

from __future__ import annotations

import pytest

from rules.drawing import ascii_board
from rules.errors import BadData
from rules.game import Step
from rules.games.nexus.picture import FREE, RING
from rules.games.nexus.position import Position
from rules.games.nexus.turn import Move
from rules.reasons import LEAVING, Reason
from tests.support.rules.positions.nexus import NEXUS, TO_AND_FRO, is_legal, played, position, replayed, start


def turn(before: Position, text: str) -> Step[Position, Move]:
    move = NEXUS.parse(before, before.to_move, text)
    return Step(before, {before.to_move: move}, NEXUS.play(before, {before.to_move: move}))


def captions(position: Position) -> tuple[str, ...]:
    return NEXUS.diagram(position).captions


def told(before: Position, text: str) -> list[str]:
    return NEXUS.story(turn(before, text))


# The picture


def test_signs_distinguish_marbles_rings_and_places() -> None:
    """r4 and r5 are empty rings, with a capital R; m4 holds a red marble, with a small r."""
    before = position("m4:r n4:bbr m5 r4 r5 p4:br o5", meadow=False, reserve=[3, 3])
    assert ascii_board(NEXUS.diagram(before)).splitlines() == [
        "      n3   .    n3",
        "   m4   r    bbr    .     br    .     R     .    s4",
        "l5   .     M     .     O     .     .     R    r5",
        "r red, b blue; capital: empty ring, dot: no ring.",
        "In reserve + on the board: Red 3+3, Blue 3+3.",
        "Last actions: Red moved marbles, Blue moved marbles.",
        "Red to move.",
    ]


def test_changes_of_a_turn_are_marked() -> None:
    step = turn(position("m4:r n4 o4 p4", meadow=False, reserve=[3, 3]), "move m4-n4-o4")
    assert ascii_board(NEXUS.diagram(step.after, step)).splitlines()[1] == "m4 [M]  N  [r]  P   p4"


def test_removed_ring_leaves_a_marked_place() -> None:
    step = turn(position("m4 n4 o4 p4 q4:r r4:b", reserve=[0, 3]), "rings m4 n4 o4 p4 > r3 q3 s3 r2")
    cells = {cell.name: cell for row in NEXUS.diagram(step.after, step).rows for cell in row.cells if cell.mark}
    assert {name: cell.ground for name, cell in cells.items()} == {
        **dict.fromkeys(["m4", "n4", "o4", "p4"], FREE),
        **dict.fromkeys(["r3", "q3", "s3", "r2"], RING),
    }


@pytest.mark.parametrize(
    ("text", "arrows", "marks"),
    [
        ("add m4 n4 d1", [], {"m4", "n4", "d1"}),
        ("move q4-p4-o4", [("q4", "p4"), ("p4", "o4")], set()),
        ("move c1-d1 d1*q4-m4", [("c1", "d1"), ("q4", "m4")], {"d1"}),
        ("rings m4 n4 o4 p4 > r3 q3 s3 r2", [], {"m4", "n4", "o4", "p4", "r3", "q3", "s3", "r2"}),
    ],
)
def test_plan_is_drawn(text: str, arrows: list[tuple[str, str]], marks: set[str]) -> None:
    before = position("m4 n4 o4 p4 q4:r r4:b", reserve=[3, 3])
    diagram = NEXUS.diagram(before, plan=NEXUS.parse(before, 0, text))
    assert [(arrow.start, arrow.end) for arrow in diagram.arrows] == arrows
    assert {cell.name for row in diagram.rows for cell in row.cells if cell.mark} == marks


def test_board_without_rings_has_a_picture() -> None:
    empty = NEXUS.read(
        {"players": 2},
        {
            "rings": {},
            "reserve": [9, 9],
            "out": [],
            "to_move": 0,
            "last_actions": [None, None],
            "ply": 0,
            "quiet": 0,
        },
    )
    assert ascii_board(NEXUS.diagram(empty)).endswith("Blue has won.")


def test_rows_without_a_ring_are_kept() -> None:
    """The rows between two parts of a board are empty, but they are rows."""
    rows = NEXUS.diagram(position("a1:b a2 a3 z26:r z25 z24", meadow=False, reserve=[3, 3])).rows
    assert [row.label for row in rows] == [str(number) for number in range(1, 27)]
    assert rows[12].cells == ()
    assert min(row.shift for row in rows) == 0


def test_captions_of_a_game_with_a_seat_out() -> None:
    left = NEXUS.leave(played(start(4), "add m13 m14 n12"), 2, "resigned")
    assert NEXUS.diagram(left).signs == ("r red, b blue, y yellow; capital: empty ring, dot: no ring.",)
    assert captions(left) == (
        "In reserve + on the board: Red 7+3, Blue 10+0, Yellow 10+0.",
        "Last actions: Red added marbles.",
        "Out: Green.",
        "Blue to move.",
    )
    assert not any("Last actions" in each for each in captions(NEXUS.leave(left, 0, "resigned")))


def test_captions_of_a_game_that_is_over() -> None:
    drawn = replayed(position("m13"), *TO_AND_FRO, *TO_AND_FRO)
    assert captions(drawn)[-1] == "The game is a draw between Red and Blue."
    assert captions(NEXUS.leave(start(2), 1, "timeout"))[-1] == "Red has won."


# The story


@pytest.mark.parametrize(
    ("rings", "text", "sentences"),
    [
        ("m13:r n13 o13", "move m13-n13-o13", []),
        (
            "m13:r n13:br",
            "move m13-n13 c1-d1",
            ["Deleted by blocking on n13: 1 blue marble.", "Red puts 1 marble into the reserve."],
        ),
        (
            "m13:bbb n13:b o13:r",
            "move o13-n13 c1-d1",
            ["Deleted by surrounding: 1 blue marble on m13.", "Red puts 1 marble into the reserve."],
        ),
        (
            "l13:bbb m13:bbb n13 o13:r",
            "move o13-n13 c1-d1 remove m13 m13 l13",
            [
                "Deleted by surrounding: 1 blue marble on l13, 2 blue marbles on m13.",
                "Red puts 3 marbles into the reserve.",
            ],
        ),
        ("m13:r n13", "move m13*c1-n13 n13-m13", ["Red gives up a marble on m13."]),
    ],
)
def test_story_names_deletions(rings: str, text: str, sentences: list[str]) -> None:
    assert told(position(rings), text) == sentences


def test_story_names_seats_that_are_out() -> None:
    before = position("m13:br n13 c1:r d1 e1", meadow=False)
    assert told(before, "move c1-d1-e1") == [
        "Blue can neither add nor move and is out, and the blue marbles leave the game."
    ]


@pytest.mark.parametrize("reason", LEAVING)
def test_story_names_the_effects_of_leaving(reason: Reason) -> None:
    before = position("m13:bg n13 c7:g d7 e7 c1:r d1 e1", players=3, meadow=False)
    after = NEXUS.leave(before, 0, reason)
    assert NEXUS.story(Step(before, {}, after, left=(0, reason))) == [
        "The red marbles leave the game.",
        "Blue can neither add nor move and is out, and the blue marbles leave the game.",
    ]


# Examples, forms, lists


def test_examples_of_the_first_turn_are_two_additions() -> None:
    assert NEXUS.examples(start(2), 0) == ("add k13 k14 k15", "add k13 k14 l12")


def test_examples_are_of_every_sort() -> None:
    before = position("m13:r n13 o13 l13 k13 l14", reserve=[3, 0])
    examples = NEXUS.examples(before, 0)
    assert [text.split()[0] for text in examples] == ["add", "move", "move", "rings"]
    assert "*" in examples[2]
    assert all(is_legal(before, text) for text in examples)


def test_examples_move_one_marble_twice_if_nothing_else_can_move() -> None:
    before = position(
        "j15 k14 k15:b k16 l12:b l13:br l15:b m12 m13 m14 m15 n11 n13 n14:b o11:r o12 o13 p12 p13:br",
        reserve=[7, 5],
        meadow=False,
    )
    examples = NEXUS.examples(before, 0)
    assert "move" in {text.split()[0] for text in examples}


def test_examples_leave_out_what_is_not_possible() -> None:
    before = position("m13:r n13 o13", last=["move", "rings"])
    assert [text.split()[0] for text in NEXUS.examples(before, 0)] == ["move", "move"]


def test_lists_are_by_sort_and_changes_of_rings_only_on_request() -> None:
    before = position("m13:r n13 o13 l13 k13 l14", reserve=[3, 0])
    assert {text.split()[0] for text in NEXUS.listing(before)} == {"add", "move"}
    for sort in ("add", "move", "rings"):
        assert {text.split()[0] for text in NEXUS.listing(before, sort)} == {sort}
    assert len(NEXUS.listing(before, "rings")) == 5000
    assert len(NEXUS.listing(before, "rings", limit=7)) == 7
    assert len(NEXUS.listing(before, limit=7)) == 7
    with pytest.raises(BadData, match="NEXUS has no action swap; its actions are add, move, rings"):
        NEXUS.listing(before, "swap")


def test_seats_are_colours() -> None:
    assert NEXUS.seats({"players": 4}) == ("Red", "Blue", "Green", "Yellow")
    assert NEXUS.plays_on(start(2))
    assert set(NEXUS.reasons) == {"last-standing", "repetition", "standstill"}

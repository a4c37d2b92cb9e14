"""Changing rings in NEXUS."""

from __future__ import annotations

import pytest

from rules.games.nexus.board import spots
from rules.geometry.hexes import names
from tests.support.rules.positions.nexus import NEXUS, board, holds, is_legal, played, position, refusal, shown

ROW = "k13 l13 m13 n13 o13:r p13:b"


def test_change_takes_four_rings_and_puts_four() -> None:
    after = played(position(f"{ROW} k12 l12 m12 n12"), "rings k13 l13 k12 l12 > o12 p12 q12 o11")
    assert shown(after.board).startswith("c1:r c4:b d1 d4 e1 e4 m12 m13 n12 n13 o11 o12 o13:r p12 p13:b q12")
    assert after.last_actions == ("rings", "move")
    assert (after.quiet, after.reserve) == (1, (0, 0))


def test_ring_may_touch_one_that_was_just_put_down() -> None:
    """o11 touches o12 and n12 only once o12 is there."""
    before = position(f"{ROW} k12 l12 m12 n12")
    assert is_legal(before, "rings k13 l13 k12 l12 > o12 o11 p12 q12")
    assert refusal(before, "rings k13 l13 k12 l12 > o11 o12 p12 q12") == (
        "o11 touches 1 ring when its turn comes; a ring must touch at least two others where you put it down."
    )


def test_rings_are_taken_before_any_is_put_down() -> None:
    """j13 would touch k12 and k13, which are taken away."""
    assert refusal(position(f"{ROW} k12 l12 m12 n12"), "rings k13 l13 k12 l12 > j13 o12 o11 p12") == (
        "j13 touches no ring when its turn comes; a ring must touch at least two others where you put it down."
    )


def test_change_may_split_the_board_and_fill_a_hole() -> None:
    wheel = "n13 l13 m14 m12 n12 l14"
    before = position(f"{wheel} o12 o11 p11 p10")
    after = played(before, "rings o12 o11 p11 p10 > m13 n14 o13 k14")
    assert holds(after, "m13") == ""
    bridge = position("k13 k14 j14 l13 m13 n13 o13 o12 p12 p13:b")
    split = played(bridge, "rings l13 m13 j14 n13 > p11 o14 q12 q11")
    assert "l13" not in NEXUS.write(split)["rings"]
    assert {"k13", "k14", "o13"} <= NEXUS.write(split)["rings"].keys()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "rings k13 l13 m13 > q12 q13 p12",
            "Take away exactly four rings and put down four; you named 3 and 3.",
        ),
        (
            "rings k13 l13 m13 n13 > q12 q13 p12 p11 q11",
            "Take away exactly four rings and put down four; you named 4 and 5.",
        ),
        (
            "rings k13 l13 m13 k13 > q12 q13 p12 p11",
            "k13 is named twice, but you must take away four different rings.",
        ),
        (
            "rings k13 l13 m13 n13 > p12 p12 q12 p11",
            "p12 is named twice, but the four rings must go on four different places.",
        ),
        ("rings k13 l13 m13 z1 > q12 q13 p12 p11", "There is no ring on z1."),
        (
            "rings k13 l13 m13 o13 > q12 q13 p12 p11",
            "o13 holds 1 red marble; you can take away only empty rings.",
        ),
        (
            "rings k13 l13 m13 p13 > q12 q13 p12 p11",
            "p13 holds 1 blue marble; you can take away only empty rings.",
        ),
        (
            "rings k13 l13 m13 n13 > p12 o14 n13 p11",
            "n13 had a ring before your action; put rings down only on places that had none.",
        ),
        (
            "rings k13 l13 m13 n13 > p12 o13 o12 p11",
            "o13 had a ring before your action; put rings down only on places that had none.",
        ),
        (
            "rings k13 l13 m13 n13 > s1 p12 o12 p11",
            "s1 touches no ring when its turn comes; a ring must touch at least two others "
            "where you put it down.",
        ),
    ],
)
def test_illegal_changes_are_refused(text: str, sentence: str) -> None:
    assert refusal(position(ROW), text) == sentence


def test_ring_off_the_table_is_refused() -> None:
    edge = board("a1 a2 b1 c1")
    assert [names()[place] for place in spots(edge)] == ["b2"]
    assert refusal(position("a5 a6 a7 a8 a9:r"), "rings a5 a6 a7 a8 > a0 a1 a2 a3") == (
        "There is no place a0 on the table, which goes from a1 to z26."
    )


@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        (["move", "rings"], "Blue has just changed rings, so you cannot change rings now."),
        (["rings", "move"], "Your own last action was a change of rings, so you cannot change rings again."),
        (["add", "move"], ""),
    ],
)
def test_rings_are_not_changed_twice_in_a_row(last: list[str], sentence: str) -> None:
    before = position(f"{ROW} k12 l12 m12 n12", last=last)
    text = "rings k13 l13 k12 l12 > o12 p12 q12 o11"
    assert bool(next(NEXUS.moves(before, 0, "rings"), None)) == (not sentence)
    if sentence:
        assert refusal(before, text) == sentence
    else:
        assert is_legal(before, text)


@pytest.mark.parametrize(
    ("last", "out", "legal"),
    [
        # Green is to move; Blue sits before it, or Red when Blue is out.
        (["rings", "move", "move"], [], True),
        (["move", "rings", "move"], [], False),
        (["rings", "move", "move"], [1], False),
        (["move", "rings", "move"], [1], True),
    ],
)
def test_previous_player_is_the_nearest_one_still_in(last: list[str], out: list[int], legal: bool) -> None:
    rings = "k13 l13 m13 n13 o13:r k12 l12 m12 n12 c1:g d1 e1 f1:r g1 h1"
    letters = rings if 1 in out else f"{rings} c4:b d4 e4"
    before = position(letters, players=3, meadow=False, to_move=2, last=last, out=out)
    assert before.to_move == 2
    assert is_legal(before, "rings k13 l13 k12 l12 > o12 p12 o11 p11") == legal

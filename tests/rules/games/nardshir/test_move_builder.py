"""The move builder of Nardshir."""

from __future__ import annotations

from rules.drawing import ascii_board
from rules.drawing.diagram import Die
from tests.support.rules.positions.nardshir import NARDSHIR, board


def test_builder_picks_a_disc_then_its_target_until_dice_are_used() -> None:
    now = board({11: 2}, {}, 3, 5)
    assert [pick.text for pick in NARDSHIR.choices(now, 0).picks] == ["hand", "11"]
    disc = NARDSHIR.choices(now, 0, ["11"])
    assert [(pick.text, pick.label) for pick in disc.picks] == [
        ("14", "goes to 14, with the 3"),
        ("16", "goes to 16, with the 5"),
    ]
    assert (disc.marks, disc.move) == (("11",), "")
    between = NARDSHIR.choices(now, 0, ["11", "16"])
    assert (between.move, between.diagram.dice) == ("", (Die(3), Die(5, "used")))
    whole = NARDSHIR.choices(now, 0, ["11", "16", "hand", "3"])
    assert (whole.move, whole.diagram.dice) == ("11/16 hand/3", (Die(3, "used"), Die(5, "used")))


def test_dice_of_a_double_are_used_one_by_one() -> None:
    now = board({11: 2}, {}, 2, 2)
    assert NARDSHIR.choices(now, 0).diagram.dice == (Die(2),) * 4
    assert NARDSHIR.choices(now, 0, ["11", "13"]).diagram.dice == (Die(2, "used"), *[Die(2)] * 3)


def test_unplayable_die_is_neither_used_nor_offered() -> None:
    now = board({20: 1, 25: 14}, {1: 2, 25: 13}, 3, 4)
    assert NARDSHIR.choices(now, 0, ["20", "23"]).diagram.dice == (Die(3, "used"), Die(4, "not played"))


def test_builder_shows_a_hit_and_the_disc_in_hand() -> None:
    now = board({11: 2}, {11: 1}, 3, 5)
    assert "goes to 14, hits, with the 3" in [pick.label for pick in NARDSHIR.choices(now, 0, ["11"]).picks]
    assert "O: 15 in hand, 0 off." in ascii_board(NARDSHIR.choices(now, 0, ["11", "14"]).diagram)


def test_builder_bears_discs_off() -> None:
    now = board({24: 2, 25: 13}, {}, 1, 1)
    assert [pick.label for pick in NARDSHIR.choices(now, 0, ["24"]).picks] == ["goes off, with the 1"]
    assert NARDSHIR.choices(now, 0, ["24", "off", "24", "off"]).move == "24/off 24/off"


def test_builder_uses_the_numbers_of_o() -> None:
    now = board({}, {11: 2}, 3, 5, to_move=1)
    choices = NARDSHIR.choices(now, 1, ["11", "16", "11", "14"])
    assert choices.move == "11/16 11/14"

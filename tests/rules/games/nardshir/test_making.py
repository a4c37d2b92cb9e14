"""Turns of Nardshir in the making."""

from __future__ import annotations

from rules.drawing import ascii_board
from tests.rules.games.nardshir.positions import KIND, board


def test_a_disc_then_its_target_until_the_dice_are_played() -> None:
    now = board({11: 2}, {}, 3, 5)
    assert [pick.text for pick in KIND.choices(now, 0).picks] == ["hand", "11"]
    disc = KIND.choices(now, 0, ["11"])
    assert [(pick.text, pick.label) for pick in disc.picks] == [
        ("14", "goes to 14, with the 3"),
        ("16", "goes to 16, with the 5"),
    ]
    assert (disc.marks, disc.move) == (("11",), "")
    between = KIND.choices(now, 0, ["11", "16"])
    assert (between.move, between.diagram.dice) == ("", (3,))
    assert KIND.choices(now, 0, ["11", "16", "hand", "3"]).move == "11/16 hand/3"


def test_a_hit_is_said_and_the_disc_is_seen_in_hand() -> None:
    now = board({11: 2}, {11: 1}, 3, 5)
    assert "goes to 14, hits, with the 3" in [pick.label for pick in KIND.choices(now, 0, ["11"]).picks]
    assert "O: 15 in hand, 0 off." in ascii_board(KIND.choices(now, 0, ["11", "14"]).diagram)


def test_discs_go_off() -> None:
    now = board({24: 2, 25: 13}, {}, 1, 1)
    assert [pick.label for pick in KIND.choices(now, 0, ["24"]).picks] == ["goes off, with the 1"]
    assert KIND.choices(now, 0, ["24", "off", "24", "off"]).move == "24/off 24/off"


def test_o_picks_by_its_own_numbers() -> None:
    now = board({}, {11: 2}, 3, 5, to_move=1)
    choices = KIND.choices(now, 1, ["11", "16", "11", "14"])
    assert choices.move == "11/16 11/14"

"""Surrounding in NEXUS, and the choice of the marbles to remove."""

from __future__ import annotations

import pytest

from rules.games.nexus.turn import surrounded
from tests.support.rules.positions.nexus import (
    NEXUS,
    POCKET,
    board,
    holds,
    played,
    pocket,
    position,
    refusal,
    removed,
)

NOT_THERE = "it holds none that a newly surrounded group must lose."


# Surrounding


@pytest.mark.parametrize(
    ("first", "second", "gone"),
    [
        ("b", "", None),
        # Half, rounded up, stays: 1 of 1, 1 of 2, 2 of 3, 2 of 4, 3 of 6.
        ("b", "b", ["m13b"]),
        ("bb", "b", ["m13b"]),
        ("b", "bb", ["n13b"]),
        ("bb", "bb", ["m13b", "n13b"]),
        ("bbb", "b", ["m13b", "m13b"]),
        ("bbb", "bbb", ["m13b", "m13b", "n13b"]),
        # Each colour is counted separately, also on a shared ring.
        ("bg", "g", ["m13g"]),
        ("bg", "bg", ["m13b", "m13g"]),
        ("bbg", "gg", ["m13b", "n13g"]),
    ],
)
def test_surrounded_group_is_reduced_by_half(first: str, second: str, gone: list[str] | None) -> None:
    before = pocket(first, second, players=3)
    assert removed(before, "move k14-l14 c1-d1") == (gone or [])


def test_removed_marbles_add_as_many_to_the_reserve() -> None:
    after = played(pocket("bbb", "bb", reserve=[1, 4]), "move k14-l14 c1-d1")
    assert after.reserve == (3, 4)
    assert (holds(after, "m13"), holds(after, "n13")) == ("b", "bb")


def test_single_surrounded_marble_stays() -> None:
    before = position("m13:b n13:r l13:r m14:r m12:r n12:r l14 k14:r")
    assert removed(before, "move k14-l14 c1-d1") == []
    assert removed(position("m13:bb n13:r l13:r m14:r m12:r n12:r l14 k14:r"), "move k14-l14 c1-d1") == ["m13b"]


def test_empty_ring_beside_the_group_saves_it() -> None:
    assert removed(pocket(), "move c1-d1-e1") == []
    assert surrounded(pocket().board, "r") == set()


def test_own_ring_with_other_colours_surrounds() -> None:
    """l14 holds a blue and a red marble: it has none of the group, and one of mine."""
    before = position(f"{POCKET.format('bb', 'bb')} k14:r".replace("l14", "l14:b"))
    assert removed(before, "move k14-l14 c1-d1") == ["m13b", "n13b"]


def test_edge_of_the_board_counts_as_closed() -> None:
    assert removed(position("m13:bb n13 l13:r"), "move c1-d1-e1") == []
    assert removed(position("m13:bb n13 o13:r"), "move o13-n13 c1-d1") == ["m13b"]


def test_holes_count_as_closed() -> None:
    wheel = "n13:bb l13:r m14:r m12:r n12:r l14:r o13 o12:r n14:r p13:r"
    assert removed(position(wheel), "move p13-o13 c1-d1") == ["n13b"]


def test_group_without_a_ring_beside_it_is_not_surrounded() -> None:
    """Blue is alone on m13; there is no ring beside it, regardless of other moves of Red."""
    assert removed(position("m13:bbb"), "move c1-d1-e1") == []
    assert surrounded(board("m13:bbb n20:r"), "r") == set()


def test_removing_the_last_empty_rings_surrounds() -> None:
    rings = "m13:bb n13:r l13 k10 l10 m10 n10 o10:r k11 l11"
    before = position(rings)
    assert removed(before, "rings l13 k10 k11 l10 > m11 n9 n11 o9") == ["m13b"]


def test_addition_surrounds() -> None:
    before = position("m13:bb n13 l13 k13", reserve=[3, 0])
    assert removed(before, "add n13 l13 k13") == ["m13b"]


def test_neighbouring_rings_of_several_colours_are_one_group() -> None:
    """Green beside blue: for red the two are one group, and neither closes in the other."""
    rings = "m13:bb n13:gg l13:r m14:r m12:r n12:r l14:r o13:r o12:r n14 n15:r"
    assert removed(position(rings, players=3), "move n15-n14 c1-d1") == ["m13b", "n13g"]


def test_several_groups_can_be_surrounded_in_one_turn() -> None:
    before = position("k13:bb l13 m13:bb n13:r j13:r", reserve=[3, 0])
    assert removed(before, "add d1 e1 l13") == ["k13b", "m13b"]


def test_only_the_seat_to_move_surrounds() -> None:
    """Blue and red close green in together: for blue the red n13 belongs to the group, o13 is beside it."""
    rings = "m13:gg n13:r l13:b m14:b m12:b n12:b l14 k14:b {}"
    before = position(rings.format("o13"), players=3, to_move=1)
    assert removed(before, "move k14-l14 c4-d4") == []
    before = position(rings.format("o13:b"), players=3, to_move=1)
    assert removed(before, "move k14-l14 c4-d4") == ["m13g"]


def test_group_surrounded_in_another_players_turn_loses_nothing() -> None:
    """Blue walks into a closed pocket of red; the group is not new in red's next turn."""
    pocket = "m13 n13:r l13:r m14:r m12:r n12:r l14:r"
    before = position(f"{pocket} m20:bbb", to_move=1)
    inside = played(before, "move m20*m20-m13 c4-d4")
    assert holds(inside, "m13") == "b"
    twice = played(played(inside, "move c1-d1-e1"), "move d4-e4 m20*e4-m13")
    assert holds(twice, "m13") == "bb"
    assert removed(twice, "move e1-d1-c1") == []


def test_group_that_is_surrounded_again_loses_again() -> None:
    """Red opens the ring around blue and closes it again."""
    before = position("m13:bbb n13:r l13:r m14:r m12:r n12:r l14:r k14")
    opened = played(before, "move l14-k14 c1-d1")
    assert holds(opened, "m13") == "bbb"
    closed = played(played(opened, "move c4-d4-e4"), "move k14-l14 d1-e1")
    assert holds(closed, "m13") == "bb"


def test_group_that_shrinks_counts_as_new() -> None:
    before = position("m13:bb n13:bb l13:r m14:r m12:r n12:r l14:rr o13:r o12:r n14:r")
    assert len(surrounded(before.board, "r")) == 1
    assert removed(before, "move c1-d1-e1") == []
    assert removed(before, "move n14-n13 c1-d1") == ["m13b"]
    assert removed(before, "move l14-m13 c1-d1") == ["n13b"]


def test_empty_ring_left_between_two_groups_saves_both() -> None:
    before = position("k13:bb l13:br m13:bb n13:r j13:r")
    assert len(surrounded(before.board, "r")) == 2
    freed = position("k13:bb l13:r m13:bb n13:r j13:r l12")
    assert removed(freed, "move l13-l12 c1-d1") == []


def test_surrounding_is_judged_after_both_steps() -> None:
    """The first step closes the pocket, the second opens it again."""
    assert removed(pocket(), "move k14-l14 m14-l14") == []


# Choosing the marbles to remove


def test_default_removal_takes_from_the_fullest_ring() -> None:
    before = position("m9:bb m10:bb n9:bb l10:r l11:r m11:r n10:r n8:r o9:r o8:r m8 l9:r m7:r")
    assert removed(before, "move m7-m8 c1-d1") == ["m9b", "m10b", "n9b"]


@pytest.mark.parametrize(
    ("first", "second", "wanted", "canonical"),
    [
        ("bb", "bb", "m13 m13", " remove m13 m13"),
        ("bb", "bb", "n13 n13", " remove n13 n13"),
        # The default choice is not written, in any order.
        ("bb", "bb", "m13 n13", ""),
        ("bb", "bb", "n13, m13.", ""),
        # The letter is written only where two colours on the ring lose marbles.
        ("bb", "bb", "m13b m13b", " remove m13 m13"),
        ("bg", "bg", "n13g m13b", " remove m13b n13g"),
        ("bg", "bg", "n13g n13b", " remove n13b n13g"),
        ("bg", "bb", "n13", ""),
        ("bg", "bb", "m13", " remove m13"),
        ("bg", "bb", "m13b", " remove m13"),
    ],
)
def test_choice_of_marbles_has_a_canonical_text(first: str, second: str, wanted: str, canonical: str) -> None:
    before = pocket(first, second, players=3)
    move = NEXUS.parse(before, 0, f"move k14-l14 c1-d1 remove {wanted}")
    assert NEXUS.format(move) == f"move k14-l14 c1-d1{canonical}"
    assert NEXUS.parse(before, 0, NEXUS.format(move)) == move


def test_chosen_marbles_are_removed() -> None:
    after = played(pocket("bg", "bg", players=3), "move k14-l14 c1-d1 remove n13g m13b")
    assert (holds(after, "m13"), holds(after, "n13")) == ("g", "b")
    assert after.reserve == (2, 0, 0)


@pytest.mark.parametrize(
    ("first", "second", "wanted", "sentence"),
    [
        ("bb", "bb", "m13", "The surrounded group m13, n13 loses exactly 2 blue marbles; you named 1."),
        (
            "bb",
            "bb",
            "m13 n13 n13",
            "The surrounded group m13, n13 loses exactly 2 blue marbles; you named 3.",
        ),
        (
            "bbb",
            "b",
            "n13 n13",
            "You remove 2 blue marbles from n13, but it holds only 1 blue marble.",
        ),
        (
            "bb",
            "bb",
            "m13 l13",
            f"You cannot remove a marble from l13: {NOT_THERE}",
        ),
        (
            "bb",
            "bb",
            "m13 a1",
            f"You cannot remove a marble from a1: {NOT_THERE}",
        ),
        ("bb", "bg", "m13 n13g", "You cannot remove a green marble from n13."),
        ("bb", "bb", "m13 n13g", "You cannot remove a green marble from n13."),
        (
            "g",
            "bb",
            "m13",
            f"You cannot remove a marble from m13: {NOT_THERE}",
        ),
        (
            "bg",
            "bg",
            "m13 n13",
            "Marbles of two colours can be removed from m13, blue and green: write m13b or m13g.",
        ),
    ],
)
def test_illegal_choices_of_marbles_are_refused(first: str, second: str, wanted: str, sentence: str) -> None:
    before = pocket(first, second, players=3)
    assert refusal(before, f"move k14-l14 c1-d1 remove {wanted}") == sentence


@pytest.mark.parametrize("first", ["bb", "b"])
def test_choice_of_marbles_is_refused_if_none_are_removed(first: str) -> None:
    assert refusal(pocket(first), "move c1-d1-e1 remove m13") == (
        "This action surrounds no group that loses marbles, so you cannot remove any from m13."
    )

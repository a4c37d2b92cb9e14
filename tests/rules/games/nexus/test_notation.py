"""Moves of NEXUS as people write them."""

from __future__ import annotations

import pytest

from rules.errors import IllegalMove, Unreadable
from tests.support.rules.positions.nexus import NEXUS, position, refusal

OPEN = "m13:rr m14 n12:r n11 k12:r o12 o13 k10 l10 l11 k11"
ADD = "Write three rings, as in: add m13 m14 n12."
MOVE = (
    "Write two steps, as in: move m13-m14 n12-n11, or move m13-m14-m15 for one marble; a step with a sacrifice "
    "as in: move m13-m14 k12*p9-r8."
)
SACRIFICE = "A sacrifice step names the ring given up, a star, and one step, and is never part of a chain."
RINGS = "Write four rings to take away and four places, as in: rings m10 m11 n10 k15 > p9 q9 q8 l17."
REMOVE = "Write the rings that lose marbles at the end, one for each marble, as in: remove b2 c3."


@pytest.mark.parametrize(
    "text",
    [
        "add m14 n11 o12",
        "ADD M14 N11 O12",
        "Add o12, n11, m14.",
        "add o12, n11 and m14",
        "  add\tm14;n11 ; o12 ...\n",
        "add m14\nn11\no12",
        "add m 14 n 11 o 12",
        "add m014 n11 o12",
    ],
)
def test_addition_is_read_in_many_forms(text: str) -> None:
    assert NEXUS.format(NEXUS.parse(position(OPEN, reserve=[3, 0]), 0, text)) == "add m14 n11 o12"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("move m13-m14 n12-n11", "move m13-m14 n12-n11"),
        ("MOVE m13->m14, N12 -> N11.", "move m13-m14 n12-n11"),
        ("move m13 to m14 n12 to n11", "move m13-m14 n12-n11"),
        ("move m13 to m14 and n12 to n11", "move m13-m14 n12-n11"),
        ("move m13 – m14; n12 → n11", "move m13-m14 n12-n11"),
        ("move m13=>m14 n12>n11", "move m13-m14 n12-n11"),
        ("move\nm13-m14\nn12-n11", "move m13-m14 n12-n11"),
        # One marble, or any that starts where the first step ended, is a chain.
        ("move m13-m14 m14-n13", "move m13-m14-n13"),
        ("move m13 to m14 to n13", "move m13-m14-n13"),
        # The order played is kept.
        ("move n12-n11 m13-m14", "move n12-n11 m13-m14"),
        ("move m13-m14 m13-m14", "move m13-m14 m13-m14"),
        # Sacrifices are never part of a chain.
        ("move m13-m14 k12*n12-o12", "move m13-m14 k12*n12-o12"),
        ("move m13-m14 k12 * n12 - o12", "move m13-m14 k12*n12-o12"),
        ("move m13-m14 sac k12 n12-o12", "move m13-m14 k12*n12-o12"),
        ("move m13-m14 sac k12*n12-o12", "move m13-m14 k12*n12-o12"),
        ("move m13-m14, sacrifice k12, n12 to o12", "move m13-m14 k12*n12-o12"),
        ("sac k12 n12-o12 m13-m14", "move k12*n12-o12 m13-m14"),
        ("move m13-m14 k12*m14-o12", "move m13-m14 k12*m14-o12"),
        ("move k12*n12-o12 o12-o13", "move k12*n12-o12 o12-o13"),
    ],
)
def test_move_is_read_in_many_forms(text: str, canonical: str) -> None:
    before = position(f"{OPEN} n13")
    move = NEXUS.parse(before, 0, text)
    assert NEXUS.format(move) == canonical
    assert NEXUS.parse(before, 0, canonical) == move


@pytest.mark.parametrize(
    "text",
    [
        "rings k10 l10 l11 k11 > n13 m12 l13 l12",
        "Rings K10, L10, L11, K11 -> N13, M12, L13, L12.",
        "rings k10 l10 l11 k11 to n13 m12 l13 l12",
        "rings k10 l10 l11 k11 - n13 m12 l13 l12",
        "rings k10 l10 l11 k11\n> n13 m12 l13 l12",
    ],
)
def test_change_of_rings_is_read_in_many_forms(text: str) -> None:
    before = position(OPEN)
    assert NEXUS.format(NEXUS.parse(before, 0, text)) == "rings k10 l10 l11 k11 > n13 m12 l13 l12"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " . ",
        "thanks!",
        "Thanks for the game, Ann",
        "add",
        "move",
        "rings",
        "remove",
        "sac",
        "to",
        "add three marbles",
        "add m14 n11 o12 good luck",
        "add m14 n11 o12 :-)",
        "add m14 n11 o12!",
        "good luck! add m14 n11 o12",
        "I add m14 n11 o12",
        "m14 n11 o12",
        "m13-m14 n12-n11",
        "remove m13",
        "addm14 n11 o12",
        "add m14n11 o12",
        "add m1234 n11 o12",
        "add 14 11 12",
        "move m13tom14 n12-n11",
        "move m13/m14 n12-n11",
        "move m13-m14 n12-n11 and",
        "rings around the roses",
        "moves m13-m14 n12-n11",
        "swap",
        "pass",
        "add m１４ n11 o12",
    ],
)
def test_text_that_is_no_move_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        NEXUS.parse(position(OPEN, reserve=[3, 0]), 0, text)
    shown = " ".join(text.split())
    assert str(caught.value) == (
        f"“{shown}” is not a move of NEXUS: start with add, move or rings, as in: add m13 m14 n12."
    )


def test_long_text_is_quoted_in_part() -> None:
    with pytest.raises(Unreadable) as caught:
        NEXUS.parse(position(OPEN), 0, "please " * 500)
    assert len(str(caught.value)) < 160


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("add m13-m14 n12", f"Write only names of rings after “add”. {ADD}"),
        ("add m13 add m14", f"Write only names of rings after “add”. {ADD}"),
        ("add m14 n11 o27", "There is no place o27 on the table, which goes from a1 to z26."),
        ("add m14 n11 o0", "There is no place o0 on the table, which goes from a1 to z26."),
        ("add m14r n11 o12", "Write a colour only after “remove”: m14r does not belong here."),
        ("move m13 m14 n12 n11", f"Each step goes from one ring to another, with a hyphen between. {MOVE}"),
        ("move m13", f"Each step goes from one ring to another, with a hyphen between. {MOVE}"),
        ("move m13-m14 n12-", f"Each step goes from one ring to another, with a hyphen between. {MOVE}"),
        ("move m13--m14", f"Each step goes from one ring to another, with a hyphen between. {MOVE}"),
        ("move m13-m14 add m13", f"Each step goes from one ring to another, with a hyphen between. {MOVE}"),
        (
            "move k12*m13-m14-n12",
            f"{SACRIFICE} {MOVE}",
        ),
        (
            "move m13-k12*n12-o12",
            f"{SACRIFICE} {MOVE}",
        ),
        (
            "sac k12 m13",
            f"{SACRIFICE} {MOVE}",
        ),
        (
            "rings m13 m14 n12 n11 o12 o13 k12 k13",
            f"A change of rings needs one “>” between two lists of places. {RINGS}",
        ),
        ("rings m13-m14 n12-n11", f"A change of rings needs one “>” between two lists of places. {RINGS}"),
        ("rings m13 * m14", f"A change of rings needs one “>” between two lists of places. {RINGS}"),
        ("move m13-m14 n12-n11 remove", f"There is no ring after “remove”. {REMOVE}"),
        ("move m13-m14 n12-n11 remove m13-m14", f"Write only names of rings after “remove”. {REMOVE}"),
        (
            "move m13-m14 n12-n11 remove m13 remove m14",
            f"Write only names of rings after “remove”. {REMOVE}",
        ),
        (
            "move m13-m14 n12-n11 remove m99",
            "There is no place m99 on the table, which goes from a1 to z26.",
        ),
    ],
)
def test_text_that_looks_like_a_move_is_explained(text: str, sentence: str) -> None:
    assert refusal(position(OPEN, reserve=[3, 0]), text) == sentence


def test_letter_after_a_name_is_a_colour_only_without_a_number() -> None:
    """`remove m13 b 14` names two rings, `remove m13 b` a blue marble."""
    pocket = position("m13:bbb b14:bb c14:r c13 l13:r m14:r m12:r n12:r l14 n13:r k14:r", players=2)
    text = "move k14-l14 c1-d1 remove m13 {}"
    assert NEXUS.format(NEXUS.parse(pocket, 0, text.format("b"))) == "move k14-l14 c1-d1"
    with pytest.raises(IllegalMove, match="You cannot remove a marble from b14"):
        NEXUS.parse(pocket, 0, text.format("b 14"))

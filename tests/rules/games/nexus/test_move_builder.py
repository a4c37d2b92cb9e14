"""The move builder of NEXUS."""

from __future__ import annotations

from rules.games.nexus.position import Position
from tests.support.rules.positions.nexus import NEXUS, pocket, position, start

SURROUNDING = ("move", "k14", "l14", "c1", "d1")


def reserve(now: Position, *picks: str) -> str:
    """Return Red's marbles in the picture after these picks: in reserve, and on the board."""
    return NEXUS.choices(now, 0, picks).diagram.captions[0].partition("Red ")[2].partition(",")[0]


def texts(now: Position, *picks: str, group: str = "") -> list[str]:
    return [pick.text for pick in NEXUS.choices(now, 0, picks).picks if group in ("", pick.group)]


def test_builder_starts_with_an_addition() -> None:
    now = start(2)
    assert texts(now) == ["add"]
    rings = texts(now, "add")[:3]
    assert NEXUS.choices(now, 0, ["add", *rings[:2]]).move == ""
    assert NEXUS.choices(now, 0, ["add", *rings[::-1]]).move == f"add {' '.join(rings)}"


def test_labels_of_picks_also_say_what_was_picked() -> None:
    """The page shows them after the pick, where “add marble 2 of 3” would be read as the next thing to do."""
    labels = [pick.label for pick in NEXUS.choices(start(2), 0, ["add", "k13", "k14"]).picked]
    assert labels == ["add three marbles", "marble 1 of 3 on k13", "marble 2 of 3 on k14"]
    now = position("m13:r m14:b")
    taken = texts(now, "rings")[:4]
    put = texts(now, "rings", *taken)[0]
    labels = [pick.label for pick in NEXUS.choices(now, 0, ["rings", *taken, put]).picked]
    assert labels[1] == f"ring 1 of 4 from {taken[0]}"
    assert labels[5] == f"ring 1 of 4 to {put}"


def test_builder_offers_no_action_that_cannot_be_completed() -> None:
    assert texts(position("m13:r n13:r l13", meadow=False, reserve=[9, 9])) == ["move"]


def test_builder_takes_two_steps_that_change_the_board() -> None:
    now = position("m13:r n13 o13 a1:b a2", meadow=False, reserve=[0, 9])
    assert texts(now, "move") == ["m13"]
    assert texts(now, "move", "m13", "n13", "n13") == ["o13"]


def test_builder_names_the_marbles_that_a_step_deletes() -> None:
    now = position("m13:rr n13:br l13")
    labels = [pick.label for pick in NEXUS.choices(now, 0, ["move", "m13"]).picks]
    assert "it moves to n13, deleting 1 blue marble" in labels


def test_picture_of_the_picks_counts_the_marbles_that_are_left_in_reserve() -> None:
    picks = ("add", "k13", "k14")
    assert [reserve(start(2), *picks[:number]) for number in (1, 2, 3)] == ["10+0", "9+1", "8+2"]


def test_picture_of_the_picks_counts_deleted_marbles_but_none_that_are_given_up() -> None:
    now = position("m13:rr n13:br l13", reserve=[3, 9])
    assert reserve(now, "move", "m13", "n13") == "4+4", "a blue marble is deleted"
    now = position("m13:rr n13:r l13 a1", reserve=[3, 9])
    assert reserve(now, "move", "sacrifice", "n13", "m13", "a1") == "3+3"


def test_builder_allows_a_sacrifice_anywhere_once() -> None:
    now = position("m13:rr n13:r l13 a1")
    assert "a1" not in texts(now, "move", "m13")
    assert "a1" in texts(now, "move", "sacrifice", "n13", "m13")
    assert "sacrifice" not in texts(now, "move", "sacrifice", "n13", "m13", "a1")
    picks = ["move", "m13", "l13", "sacrifice", "n13", "m13", "a1"]
    assert NEXUS.choices(now, 0, picks).move == "move m13-l13 n13*m13-a1"


def test_builder_takes_four_rings_away_and_puts_four_down() -> None:
    now = position("m13:r m14:b")
    taken = texts(now, "rings")[:4]
    assert NEXUS.choices(now, 0, ["rings", *taken[:1]]).picks[0].group == "take away"
    put: list[str] = []
    for _ in range(4):
        put.append(texts(now, "rings", *taken, *put, group="put down")[0])
    assert NEXUS.choices(now, 0, ["rings", *taken, *put]).move == f"rings {' '.join(taken)} > {' '.join(put)}"


def test_builder_lets_the_player_choose_removed_marbles() -> None:
    now = pocket("bg", "bbg", players=3)
    choices = NEXUS.choices(now, 0, SURROUNDING)
    assert choices.move == "move k14-l14 c1-d1"
    assert [(pick.text, pick.group) for pick in choices.picks] == [
        ("m13b", "remove blue"),
        ("n13b", "remove blue"),
        ("m13g", "remove green"),
        ("n13g", "remove green"),
    ]
    assert NEXUS.choices(now, 0, [*SURROUNDING, "n13g"]).move == "", "a blue one has to be chosen as well"
    chosen = NEXUS.choices(now, 0, [*SURROUNDING, "n13g", "m13b"])
    assert chosen.move == "move k14-l14 c1-d1 remove m13b n13g"
    assert chosen.picks == ()


def test_builder_asks_nothing_without_a_choice() -> None:
    assert texts(position("m13:bb n13 o13:r c1:r"), "move", "o13", "n13", "c1", "d1") == []

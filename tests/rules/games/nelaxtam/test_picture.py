"""The picture of a position of Nelaxtam, and sentences about a turn."""

from __future__ import annotations

import pytest

from rules.drawing.ascii import ascii_board
from rules.drawing.diagram import Arrow, Cell, Diagram
from rules.drawing.themes import GONE
from rules.games.nelaxtam.picture import BADGES, TILES
from tests.support.rules.positions.nelaxtam import (
    DIAGRAM_5,
    DIAGRAM_7,
    NELAXTAM,
    drawn,
    island_with,
    options,
    step,
)


def cell(diagram: Diagram, name: str) -> Cell:
    return next(cell for row in diagram.rows for cell in row.cells if cell.name == name)


def marked(diagram: Diagram) -> set[str]:
    return {cell.name for row in diagram.rows for cell in row.cells if cell.mark}


def grid(text: str) -> list[list[str]]:
    """Return the cells between the bars of an ASCII board."""
    return [line.split("|")[1].split() for line in text.split("\n") if "|" in line]


@pytest.mark.parametrize("picture", [DIAGRAM_5, DIAGRAM_7])
def test_board_is_drawn_as_by_the_designer(picture: str) -> None:
    text = ascii_board(NELAXTAM.diagram(drawn(picture)))
    assert grid(text) == [line.split() for line in picture.strip().split("\n")]
    assert max(len(line) for line in text.split("\n")) <= 72
    assert text.split("\n")[0].split() == list("abcdefghijkl")


def test_cells_show_tiles_troops_and_gaps() -> None:
    diagram = NELAXTAM.diagram(island_with("1 d4, A a12", gone="a1"))
    assert cell(diagram, "d4") == Cell("d4", "1", TILES["o"], BADGES["o"])
    assert cell(diagram, "a12") == Cell("a12", "A", TILES["x"], BADGES["x"])
    assert cell(diagram, "d5") == Cell("d5", "x", TILES["x"])
    assert cell(diagram, "e5") == Cell("e5", "o", TILES["o"])
    assert cell(diagram, "a1") == Cell("a1", "", GONE)
    assert diagram.arrows == ()
    assert marked(diagram) == set()


def test_captions_count_controlled_tiles() -> None:
    assert NELAXTAM.diagram(drawn(DIAGRAM_7)).captions == (
        "O: 30 tiles, troops: 1, 2, 4",
        "X: 22 tiles, troops: A, B, E",
    )
    assert NELAXTAM.diagram(drawn(DIAGRAM_5)).captions == (
        "O: 63 tiles, troops: 1, 2, 4",
        "X: 56 tiles, troops: A, B, E",
    )
    assert NELAXTAM.diagram(island_with("1 a1")).captions[1] == "X: 0 tiles, troops: none"


def test_captions_before_the_invasion_name_the_landings() -> None:
    start = NELAXTAM.start(options(), {})
    assert NELAXTAM.diagram(start).captions == (
        "O: 72 tiles, 5 to land, at least 3 of them on the edge",
        "X: 72 tiles, 5 to land, at least 3 of them on the edge",
    )
    by_air = NELAXTAM.start(options(size=10, troops=1, sea=0), {})
    assert NELAXTAM.diagram(by_air).captions == ("O: 50 tiles, 1 to land", "X: 50 tiles, 1 to land")


def test_turn_is_drawn_with_arrows_and_marks() -> None:
    played = step(island_with("1 d4, 2 h8, A d5, B a12"), "1 ne, 2 s", "A s")
    diagram = NELAXTAM.diagram(played.after, played)
    assert diagram.arrows == (
        Arrow("d4", "e5", "move"),
        Arrow("h8", "h7", "destroy"),
        Arrow("d5", "d4", "destroy"),
    )
    assert marked(diagram) == {"d4", "e5", "h7"}
    assert cell(diagram, "e5").text == "1"


def test_invasion_is_drawn_with_marks() -> None:
    start = NELAXTAM.start(options(troops=1, sea=0), {})
    played = step(start, "1 d4", "A a12")
    assert marked(NELAXTAM.diagram(played.after, played)) == {"d4", "a12"}
    assert NELAXTAM.diagram(played.after, played).arrows == ()


def test_plan_is_drawn_for_its_writer() -> None:
    start = NELAXTAM.start(options(troops=2, sea=0), {})
    landing = NELAXTAM.diagram(start, plan=NELAXTAM.parse(start, 1, "A a12, B d5"))
    assert (cell(landing, "a12"), cell(landing, "d5")) == (
        Cell("a12", "A", TILES["x"], BADGES["x"], mark=True),
        Cell("d5", "B", TILES["x"], BADGES["x"], mark=True),
    )
    assert marked(landing) == {"a12", "d5"}
    position = island_with("1 d4, A a12")
    assert NELAXTAM.diagram(position, plan=NELAXTAM.parse(position, 0, "1 n")).arrows == (
        Arrow("d4", "d5", "destroy"),
    )
    assert NELAXTAM.diagram(position, plan=NELAXTAM.parse(position, 0, "end")) == NELAXTAM.diagram(position)


# The story


def test_story_names_the_invasion() -> None:
    played = step(NELAXTAM.start(options(troops=1, sea=0), {}), "1 d4", "A a12")
    assert NELAXTAM.story(played) == ["The invasion is over: all troops have landed."]


@pytest.mark.parametrize(
    ("troops", "orders", "story"),
    [
        ("1 a1, A a12", ("hold", "hold"), []),
        ("1 d4, A a12", ("1 ne", "hold"), []),
        ("1 d4, A a12", ("1 n", "A s"), ["Tiles destroyed: d5, a11."]),
        (
            "1 d4, 2 c5, A a12",
            ("1 n, 2 e", "hold"),
            ["Tiles destroyed: d5.", "More than one troop destroyed d5; one was enough."],
        ),
        (
            "1 d4, 2 a1, A d5, B a12",
            ("1 n", "A s"),
            [
                "Tiles destroyed: d4, d5.",
                "Troop 1 died on d4, where its tile was destroyed.",
                "Troop A died on d5, where its tile was destroyed.",
            ],
        ),
        (
            "1 d4, 2 a1, A e6, B a12",
            ("1 ne", "A s"),
            ["Tiles destroyed: e5.", "Troop 1 died on e5, where its tile was destroyed."],
        ),
        (
            "1 a11, A l1",
            ("1 e", ""),
            ["Tiles destroyed: b11.", "X lost the tile a12, cut off without a troop."],
        ),
        (
            "1 a1, A a12",
            ("end", "hold"),
            ["O offered to end the game; the game ends when both sides do so in one turn."],
        ),
        (
            "1 a1, A a12",
            ("", "end"),
            ["X offered to end the game; the game ends when both sides do so in one turn."],
        ),
        ("1 a1, A a12", ("end", "end"), ["Both sides offered to end the game."]),
    ],
)
def test_story_names_the_effects_of_a_turn(troops: str, orders: tuple[str, str], story: list[str]) -> None:
    assert NELAXTAM.story(step(island_with(troops), *orders)) == story


def test_story_names_lost_groups_with_their_tiles() -> None:
    assert NELAXTAM.story(step(drawn(DIAGRAM_5))) == [
        "X lost 7 tiles that were cut off without a troop: j1, l1, k2, j3, l3, k4, l5.",
    ]


def test_story_shortens_the_tiles_of_a_large_group() -> None:
    told = NELAXTAM.story(step(island_with("1 d4, A d5"), "1 n"))
    assert told == [
        "Tiles destroyed: d5.",
        "Troop A died on d5, where its tile was destroyed.",
        "X lost 71 tiles that were cut off without a troop: b1, d1, f1, h1, j1, l1, a2, c2, e2, g2, i2, k2, ….",
    ]


@pytest.mark.parametrize(("quiet_turns", "heard"), [(8, False), (9, True), (18, True), (19, False)])
def test_story_announces_a_standstill(quiet_turns: int, heard: bool) -> None:
    story = NELAXTAM.story(step(island_with("1 a1, A a12", quiet_turns=quiet_turns)))
    sentence = f"No tile was lost in the last {quiet_turns + 1} turns; after 20 such turns the game ends."
    assert story == ([sentence] if heard else [])

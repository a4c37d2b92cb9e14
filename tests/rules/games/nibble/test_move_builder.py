"""The move builder of Nibble."""

from __future__ import annotations

from rules.registry import RULES
from tests.support.rules.random_games import first_position

NIBBLE = RULES["nibble"]
START = first_position(NIBBLE, NIBBLE.options({}))


def test_builder_takes_blocks_of_one_colour_in_any_order() -> None:
    first = NIBBLE.choices(START, 0)
    assert first.move == ""
    for pick in first.picks:
        more = NIBBLE.choices(START, 0, [pick.text])
        assert more.move == pick.text
        colour = pick.label.partition("(")[2]
        assert all(other.label.endswith(f"({colour}") for other in more.picks)
        for other in more.picks:
            both = NIBBLE.choices(START, 0, [other.text, pick.text]).move
            assert both == NIBBLE.choices(START, 0, [pick.text, other.text]).move
    assert any(NIBBLE.choices(START, 0, [pick.text]).picks for pick in first.picks)


def test_builder_removes_and_counts_taken_blocks() -> None:
    (pick, *_) = NIBBLE.choices(START, 0).picks
    diagram = NIBBLE.choices(START, 0, [pick.text]).diagram
    assert [cell.text for row in diagram.rows for cell in row.cells if cell.name == pick.place] == [""]
    assert any(" 1:0" in line for line in diagram.captions)

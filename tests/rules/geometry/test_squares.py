"""The hexagonal board."""

from __future__ import annotations

import pytest

from rules.geometry.squares import HEX_DIRECTIONS, hexagon_board


@pytest.mark.parametrize(
    ("name", "around"),
    [
        ("a1", {"ne": "b2", "e": "a2", "nw": "b1"}),
        ("a8", {"ne": "b9", "w": "a7", "nw": "b8"}),
        ("c4", {"ne": "d5", "e": "c5", "se": "b4", "sw": "b3", "w": "c3", "nw": "d4"}),
        ("h1", {"ne": "i1", "e": "h2", "se": "g1"}),
        ("h8", {"ne": "i8", "e": "h9", "se": "g8", "sw": "g7", "w": "h7", "nw": "i7"}),
        ("h15", {"sw": "g14", "w": "h14", "nw": "i14"}),
        ("k4", {"ne": "l4", "e": "k5", "se": "j5", "sw": "j4", "w": "k3", "nw": "l3"}),
        ("o8", {"se": "n9", "sw": "n8", "w": "o7"}),
    ],
)
def test_neighbours_are_listed_clockwise(name: str, around: dict[str, str]) -> None:
    board = hexagon_board(8)
    steps = board.steps[board.index[name]]
    assert [(way, board.names[cell]) for way, cell in steps.items()] == list(around.items())


@pytest.mark.parametrize("side", [1, 2, 5, 8, 13])
def test_size_names_and_symmetry(side: int) -> None:
    board = hexagon_board(side)
    ways = list(HEX_DIRECTIONS)
    assert len(board.names) == len(board.index) == len(board.places) == 3 * side * (side - 1) + 1
    assert all(board.index[name] == number for number, name in enumerate(board.names))
    for cell, steps in enumerate(board.steps):
        for way, other in steps.items():
            assert board.steps[other][ways[ways.index(way) - 3]] == cell


def test_rows_of_the_board_of_side_8() -> None:
    lengths = {row: sum(name[0] == row for name in hexagon_board(8).names) for row in "aghio"}
    assert lengths == {"a": 8, "g": 14, "h": 15, "i": 14, "o": 8}

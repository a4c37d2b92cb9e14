"""Sets of squares on the boards of Nibble, and the layouts drawn on them."""

from __future__ import annotations

from itertools import permutations

import pytest

from rules.chance import Chance
from rules.games.nibble.board import NAMES, Board, board_named, each, on_hexagons, on_squares, random_layout
from rules.geometry.squares import hexagon_board, square_board

# Small boards, on which every set of squares can be tried. The hexagon of side 2 has seven cells.
SMALL = {"square-3": on_squares(3), "square-4": on_squares(4), "hexagon-2": on_hexagons(2, 3)}


def chance(number: int) -> Chance:
    return Chance(number.to_bytes(32, "big"), "layout")


def squares_of(board: Board, names: str) -> int:
    return sum(board.bits[name] for name in names.split())


def names_of(board: Board, squares: int) -> str:
    return " ".join(board.names[square] for square in each(squares))


@pytest.mark.parametrize("name", NAMES)
def test_neighbours_match_the_geometry(name: str) -> None:
    board = board_named(name)
    if board.hexagonal:
        hexagons = hexagon_board(8)
        near = {
            square: {hexagons.names[other] for other in hexagons.steps[i].values()}
            for i, square in enumerate(hexagons.names)
        }
    else:
        squares = square_board(board.colours)
        near = {
            square: {squares.names[other] for way, other in squares.steps[i].items() if len(way) == 1}
            for i, square in enumerate(squares.names)
        }
    assert {square: set(others) for square, others in board.near.items()} == near


@pytest.mark.parametrize("name", NAMES)
def test_squares_ascend_by_letter_then_number(name: str) -> None:
    board = board_named(name)
    in_order = sorted(board.bits, key=lambda square: (square[0], int(square[1:])))
    assert names_of(board, sum(board.bits.values())) == " ".join(in_order)


@pytest.mark.parametrize(
    ("board", "left", "square", "exposed"),
    [
        (on_squares(3), "b2", "b2", ("above", "on the right", "below", "on the left")),
        (on_squares(3), "a1 b1 b2", "b1", ("on the right", "below")),
        (on_squares(3), "a3 b3 c3", "b3", ("above", "below")),
        (on_hexagons(2, 3), "b2 c1 c2 b3", "b2", ("at the lower right", "at the lower left", "on the left")),
        (on_hexagons(2, 3), "b2 a1 c2 b3 a2", "b2", ("on the left", "at the upper left")),
        (on_hexagons(2, 3), "a1 b2", "a1", ("on the right", "at the lower right", "at the lower left",
                                             "on the left", "at the upper left")),
    ],
)  # fmt: skip
def test_exposed_sides_of_a_square(board: Board, left: str, square: str, exposed: tuple[str, ...]) -> None:
    assert set(board.exposed(squares_of(board, left), board.bits[square])) == set(exposed)


@pytest.mark.parametrize(
    ("board", "left", "corners"),
    [
        (on_squares(3), "a1 a2 a3 b1 b2 b3 c1 c2 c3", "a1 a3 c1 c3"),
        (on_squares(3), "a2 b2 c2", "a2 c2"),  # b2 is exposed above and below, which do not follow one another
        (on_squares(3), "b1 b2 b3 a2 c2", "a2 b1 b3 c2"),
        (on_squares(3), "a1 a2 b1", "a1 a2 b1"),  # a1 is exposed enough, though it would cut the others apart
        (on_hexagons(2, 3), "a1 a2 b1 b2 b3 c1 c2", "a1 a2 b1 b3 c1 c2"),
        (on_hexagons(2, 3), "b1 b2 b3", "b1 b3"),  # b2 has four exposed sides, two above and two below
        (on_hexagons(2, 3), "a1 b2 c2", "a1 c2"),
        (on_hexagons(2, 3), "a1 b2 b3", "a1 b2 b3"),  # three sides at the left of b2 follow one another
    ],
)
def test_corners_of_a_board(board: Board, left: str, corners: str) -> None:
    assert names_of(board, board.corners(squares_of(board, left))) == corners


@pytest.mark.parametrize("board", SMALL.values(), ids=SMALL)
def test_every_group_can_lose_a_corner_until_nothing_is_left(board: Board) -> None:
    """Tries all groups there are: some block can be taken, and the shortcut of `holds_together` is exact."""
    squares = list(board.names)
    for number in range(1, 1 << len(squares)):
        left = sum(square for i, square in enumerate(squares) if number >> i & 1)
        if len(board.groups(left)) > 1:
            continue
        held = [square for square in each(left) if board.holds_together(left, square)]
        assert held == [square for square in each(left) if len(board.groups(left ^ square)) <= 1]
        assert any(square & board.corners(left) for square in held)


@pytest.mark.parametrize("board", [SMALL["square-3"], SMALL["hexagon-2"]], ids=["square-3", "hexagon-2"])
def test_holds_together_is_exact_when_several_blocks_are_taken(board: Board) -> None:
    squares = list(board.names)
    whole = sum(squares)
    for number in range(1, 1 << len(squares)):
        take = sum(square for i, square in enumerate(squares) if number >> i & 1)
        assert board.holds_together(whole, take) == (len(board.groups(whole ^ take)) <= 1)


def test_groups_are_listed_largest_first() -> None:
    board = on_squares(4)
    groups = board.groups(squares_of(board, "a1 c3 c4 d3 a4 b4"))
    assert [names_of(board, group) for group in groups] == ["a4 b4 c3 c4 d3", "a1"]


# Layouts


@pytest.mark.parametrize("name", NAMES)
def test_layouts_are_legal_and_differ(name: str) -> None:
    board = board_named(name)
    layouts = [random_layout(board, chance(number)) for number in range(60)]
    for layout in layouts:
        assert sorted(layout.values()) == sorted([*range(board.colours)] * board.colours)
        assert all(layout[square] != layout[other] for square in layout for other in board.near[square])
    assert len({tuple(layout.items()) for layout in layouts}) == len(layouts)


def test_layout_depends_only_on_the_seed() -> None:
    board = board_named("hex-13")
    assert random_layout(board, chance(7)) == random_layout(board, chance(7))


def test_every_legal_layout_of_a_small_board_is_drawn() -> None:
    board = on_squares(3)
    allowed = {
        colours
        for colours in set(permutations([0, 0, 0, 1, 1, 1, 2, 2, 2]))
        if all(
            dict(zip(board.near, colours, strict=True))[other] != colour
            for square, colour in zip(board.near, colours, strict=True)
            for other in board.near[square]
        )
    }
    drawn = {tuple(random_layout(board, chance(number)).values()) for number in range(3000)}
    assert drawn == allowed

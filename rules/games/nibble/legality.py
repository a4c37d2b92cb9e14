"""Reasons why blocks of Nibble may not be taken, in sentences for the player."""

from __future__ import annotations

from collections.abc import Sequence

from rules.errors import Ambiguous, IllegalMove
from rules.games.nibble.board import Board, colour_name
from rules.games.nibble.position import Position
from rules.games.nibble.turn import Take, largest_takes, names_of, singles, take_of
from rules.sentences import listed


def judge_squares(board: Board, position: Position, names: Sequence[str]) -> Take:
    """Return the legal take of the blocks on these squares. Raises IllegalMove."""
    squares = [_square(board, name) for name in names]
    if fault := _fault(board, position, squares):
        raise IllegalMove(fault)
    return take_of(board, sum(squares))


def judge_colour(board: Board, position: Position, colour: int) -> Take:
    """Return the take of all blocks of a colour that may be taken on their own, if it is legal.

    Raises IllegalMove or Ambiguous.
    """
    name = colour_name(colour)
    if colour >= board.colours:
        last = colour_name(board.colours - 1)
        raise IllegalMove(f"There is no {name} in this game; its last colour is {last}.")
    if not position.blocks[colour]:
        raise IllegalMove(f"No block of {name} is left.")
    free = singles(board, position) & position.blocks[colour]
    if not free:
        where = listed(names_of(board, position.blocks[colour]))
        raise IllegalMove(
            f"No block of {name} may be taken now ({where}): each has too few exposed sides, or cannot go "
            "without cutting off others."
        )
    together = largest_takes(board, position, free)
    if together == [free]:
        return take_of(board, free)
    raise Ambiguous(
        f"{listed(names_of(board, free))} may each be taken, but not all of them together, because "
        "the blocks left would not be one group: name the squares that you want.",
        [" ".join(names_of(board, take)) for take in together],
    )


def _fault(board: Board, position: Position, squares: Sequence[int]) -> str | None:
    """Return a sentence on why the blocks of these squares may not be taken; None if it is legal."""
    left = position.left()
    for square in squares:
        if not square & left:
            return f"{board.names[square]} is empty: its block has been taken already."
    for square in squares:
        if position.colour(square) != position.colour(squares[0]):
            two = f"{block_name(board, position, squares[0])} and {block_name(board, position, square)}"
            return f"All blocks of a turn must have one colour; {two} do not."
    corners = board.corners(left)
    for square in squares:
        if not square & corners:
            return _too_few_sides(board, position, square)
    if not board.holds_together(left, sum(squares)):
        return divided(board, left, sum(squares))
    return None


def block_name(board: Board, position: Position, square: int) -> str:
    """Return the name of a block: "c3 (A red)"."""
    return f"{board.names[square]} ({colour_name(position.colour(square))})"


# Words

_COUNTED = {2: "two", 3: "three"}
"""Numbers of sides as words."""


def _too_few_sides(board: Board, position: Position, square: int) -> str:
    sides = board.exposed(position.left(), square)
    exposed = f"is exposed only {listed(sides)}" if sides else "has no exposed side"
    return (
        f"{block_name(board, position, square)} {exposed}; a block can be taken when at least "
        f"{_COUNTED[board.needed]} adjacent sides are exposed."
    )


def divided(board: Board, left: int, take: int) -> str:
    """Return a sentence that names the blocks which taking these blocks would cut off."""
    _, *smaller = board.groups(left & ~take)
    cut_off = names_of(board, sum(smaller))
    if len(cut_off) > 8:
        cut_off = [*cut_off[:7], f"{len(cut_off) - 7} more"]
    return (
        f"Without {listed(names_of(board, take))} the blocks left would not be one group: "
        f"{listed(cut_off)} would be cut off."
    )


def _square(board: Board, name: str) -> int:
    """Return the square of this name. Raises IllegalMove."""
    if name in board.bits:
        return board.bits[name]
    line = next((row for row in board.rows if board.hexagonal and row[0][0] == name[0]), None)
    if line:
        raise IllegalMove(f"There is no {name} on this board; row {name[0]} goes from {line[0]} to {line[-1]}.")
    first, last = board.rows[-1][0], board.rows[0][-1]
    raise IllegalMove(f"There is no {name} on this board; its squares go from {first} to {last}.")

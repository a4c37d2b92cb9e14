"""Legal turns of Nibble. Sets of squares are ints, as in `board`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from rules.games.nibble.board import Board, each
from rules.games.nibble.position import Position

_MOST_LEFT_OUT = 3


class Take(NamedTuple):
    """The squares whose blocks are taken in one turn, sorted by letter, then number."""

    squares: tuple[str, ...]


def take_of(board: Board, squares: int) -> Take:
    """Return a set of squares as a take, with the names sorted."""
    return Take(tuple(names_of(board, squares)))


def names_of(board: Board, squares: int) -> list[str]:
    """Return the names of a set of squares, sorted by letter, then number."""
    return [board.names[square] for square in each(squares)]


def singles(board: Board, position: Position) -> int:
    """Return the blocks that may be taken on their own, as a set of squares."""
    left = position.left()
    return sum(square for square in each(board.corners(left)) if board.holds_together(left, square))


def takes(board: Board, position: Position, single: int) -> Iterator[int]:
    """Yield all legal takes of blocks in the set `single`, which may each be taken alone; smaller takes first.

    Every part of a legal take is legal: a group cut off by the part would contain a neighbour of the part, of
    another colour, so the whole would still cut off something of that group. So the takes of three blocks are
    found by adding one to those of two, and so on.
    """
    left = position.left()
    found = [(square, single & position.blocks[position.colour(square)]) for square in each(single)]
    while found:
        yield from (take for take, _ in found)
        found = [
            (take | square, same)
            for take, same in found
            for square in each(same >> take.bit_length() << take.bit_length())
            if board.holds_together(left ^ take, square)
        ]


def largest_takes(board: Board, position: Position, same: int) -> list[int]:
    """Return the largest legal takes of blocks in the set `same`, which have one colour and may be taken alone.

    Usually only a few blocks conflict with the others, so takes without those few are tried first: there can be
    thousands of smaller ones.
    """
    squares, left = list(each(same)), position.left()
    for fewer in range(min(_MOST_LEFT_OUT + 1, len(squares))):
        tried = map(sum, combinations(squares, len(squares) - fewer))
        if found := [take for take in tried if board.holds_together(left, take)]:
            return found
    *_, largest = found = list(takes(board, position, same))
    return [take for take in found if take.bit_count() == largest.bit_count()]

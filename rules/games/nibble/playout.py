"""Fast random games of Nibble, identical to those that `rules.playout` plays turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.games.nibble.board import Board, board_named, each
from rules.games.nibble.position import TRIPLE, Position, instant_win, majorities
from rules.geometry.bits import nth
from rules.result import Result


def playout(position: Position, below: Callable[[int], int], most: int) -> tuple[Result | None, int]:
    """Play a random game from this position; return its result, None after `most` turns, and its length."""
    board, left, seat = board_named(position.board), position.left(), position.to_move
    blocks, taken = list(position.blocks), [list(counts) for counts in position.taken]
    for turn in range(1, most + 1):
        colour, take = _take(board, left, blocks, below)
        left ^= take
        blocks[colour] ^= take
        taken[seat][colour] += take.bit_count()
        may_win = taken[seat][colour] >= TRIPLE[board.colours]
        if may_win and (reason := instant_win(taken[seat])):
            return Result((seat,), reason), turn
        if not left:
            scores = majorities(taken[0]), majorities(taken[1])
            return Result((0 if scores[0] > scores[1] else 1,), "majority", scores), turn
        seat = 1 - seat
    return None, most


def _take(board: Board, left: int, blocks: Sequence[int], below: Callable[[int], int]) -> tuple[int, int]:
    """Return a colour, and blocks of it that can be taken."""
    corners = board.corners(left)
    count = corners.bit_count()
    take = 1 << nth(corners, below(count))
    while not board.holds_together(left, take):
        take = 1 << nth(corners, below(count))
    colour = next(colour for colour, squares in enumerate(blocks) if squares & take)
    for square in each(blocks[colour] & corners & ~take):
        if below(2) and board.holds_together(left ^ take, square):
            take |= square
    return colour, take

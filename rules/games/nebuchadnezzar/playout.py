"""Fast random games of Nebuchadnezzar, identical to those that `rules.playout` plays turn by turn."""

from __future__ import annotations

from collections.abc import Callable

from rules.games.nebuchadnezzar.board import areas_to_flip, placements, whole
from rules.games.nebuchadnezzar.position import Position
from rules.geometry.bits import nth
from rules.result import Result


def playout(position: Position, below: Callable[[int], int], most: int) -> tuple[Result | None, int]:
    """Play a random game from this position; return its result, None after `most` turns, and its length."""
    size, seat, black_seat = position.size, position.to_move, position.black_seat
    board, (own, enemy) = whole(size), position.sides()
    earlier = [(int(mark[0]), int(mark[1:], 16)) for mark in position.earlier]
    may_swap = position.ply == 1 and not own and seat != black_seat and enemy.bit_count() == 1
    for turn in range(most + 1):
        areas = areas_to_flip(size, own, enemy)
        if own | enemy == board and not areas and not areas_to_flip(size, enemy, own):
            return Result((0, 1), "blocked"), turn
        mark = seat, own if seat == black_seat else enemy
        if earlier.count(mark) >= 2:
            return Result((0, 1), "repetition"), turn
        if turn == most:
            break
        free = placements(size, own, enemy)
        if ways := free.bit_count() + len(areas) + may_swap:
            number = below(ways)
            if number < len(areas):
                own |= areas[number][2]
                enemy &= ~own
                if not enemy:
                    return Result((seat,), "annihilation"), turn + 1
                earlier.append(mark)
            elif may_swap and number == len(areas):
                own, enemy, black_seat = enemy, own, seat
            else:
                own |= 1 << nth(free, number - len(areas) - may_swap)
                earlier.clear()
        else:
            earlier.append(mark)
        own, enemy, seat, may_swap = enemy, own, 1 - seat, not turn and position.ply == 0
    return None, most

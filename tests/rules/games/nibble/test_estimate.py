"""The estimate of Nibble: it is the same for both seats, and sees the ways to win."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.games.nibble.estimate import estimate
from tests.support.rules.positions.nibble import COUNTS, game, moved


@pytest.mark.parametrize("board", COUNTS)
def test_estimate_is_the_same_for_both_seats(board: str) -> None:
    for position, _ in game(board, 1):
        one, two = position.taken
        swapped = replace(position, taken=(two, one), to_move=1 - position.to_move)
        assert estimate(swapped) == pytest.approx(estimate(position)[::-1])


def test_certain_majority_has_not_won_while_the_other_seat_lacks_one_block_of_a_colour() -> None:
    most = {**dict.fromkeys("BCDEF", 5), **dict.fromkeys("GHI", 4)}
    rest = {"A": 8, **dict.fromkeys("BCDEF", 4), **dict.fromkeys("GHI", 5)}
    assert estimate(moved("square-9", most, rest, mover=0))[0] < 0.7


def test_estimate_counts_the_blocks_that_can_be_taken_next() -> None:
    half, rest = dict.fromkeys("BCDE", 5), dict.fromkeys("FGHI", 5)
    taken = [{"A": 4, **dict.fromkeys("BCDEFGHI", 4), **each} for each in (half, rest)]
    first, second = (estimate(moved("square-9", *taken, mover=mover))[0] for mover in (1, 0))
    assert first > 0.5 > second

"""The winner of an unfinished game, and the time for which it was played."""

from __future__ import annotations

import pytest

from server.pairing.adjudication import elapsed, winners


@pytest.mark.parametrize(
    ("thought", "winning"),
    [
        ([5, 9], (0,)),
        ([9, 5], (1,)),
        ([7, 7], (0, 1)),
        ([None, 7], (0, 1)),
        ([0, None], (0, 1)),
        ([9, 5, 7], (1,)),
        ([5, 9, 5, 6], (0, 2)),
    ],
)
def test_seat_with_the_least_thinking_time_wins(thought: list[int | None], winning: tuple[int, ...]) -> None:
    assert winners(thought) == winning


def test_elapsed_time_is_the_sum_or_the_longest_if_turns_are_simultaneous() -> None:
    assert elapsed([5, 9], simultaneous=False) == 14
    assert elapsed([5, 9], simultaneous=True) == 9
    assert elapsed([5, None], simultaneous=False) is None

"""Sets of numbers as bits."""

from __future__ import annotations

import pytest

from rules.geometry.bits import nth, numbers_in


@pytest.mark.parametrize("numbers", [[], [0], [3, 4, 200], list(range(40))])
def test_numbers_of_a_set_are_ascending(numbers: list[int]) -> None:
    bits = sum(1 << number for number in numbers)
    assert list(numbers_in(bits)) == numbers
    assert [nth(bits, place) for place in range(len(numbers))] == numbers

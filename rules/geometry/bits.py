"""Sets of small numbers, such as squares, as one number: bit n is set for every n in it."""

from __future__ import annotations

from collections.abc import Iterator


def numbers_in(bits: int) -> Iterator[int]:
    """Yield the numbers in a set, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def nth(bits: int, place: int) -> int:
    """Return the number at a place of a set, ascending; the first is at 0."""
    for _ in range(place):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1

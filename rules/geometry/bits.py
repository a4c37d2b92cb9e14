"""Sets of small numbers, such as squares, stored as one integer: bit n is 1 for every n in the set.

For example, the set of 0, 2 and 3 is 13, as 13 is 1101 in binary.
"""

from __future__ import annotations

from collections.abc import Iterator


def numbers_in(bits: int) -> Iterator[int]:
    """Yield the numbers in the set `bits`, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def nth(bits: int, place: int) -> int:
    """Return the number at position `place` of the set `bits`, ascending; the first is at 0."""
    for _ in range(place):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1

"""Random numbers of a game, drawn from the game's own seed so that anyone can draw them again.

The stream for a label is HMAC-SHA256(seed, label + 0x00 + counter) for counter = 0, 1, 2, …, with the label in
UTF-8 and the counter as four bytes, big-endian. It is read four bytes at a time, as big-endian numbers; numbers
that would favour one outcome are skipped (rejection sampling), so every outcome is equally likely.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

_WORD = 1 << 32
_DIGEST = Struct(">8I")


class Chance:
    """A stream of random numbers for one label, such as "game 87 turn 3 dice".

    The same seed and label always give the same stream.
    """

    def __init__(self, seed: bytes, label: str) -> None:
        if len(seed) != 32:
            raise ValueError(f"a seed is 32 bytes long, this one has {len(seed)}")
        self._words = _words(seed, label)

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1, each equally likely; `limit` is from 1 to 2**32."""
        if not 1 <= limit <= _WORD:
            raise ValueError(f"the limit must be from 1 to 2**32, not {limit}")
        fair = _WORD - _WORD % limit
        while (word := next(self._words)) >= fair:
            pass
        return word % limit

    def dice(self, count: int) -> tuple[int, ...]:
        """Roll `count` six-sided dice."""
        return tuple(1 + self.below(6) for _ in range(count))

    def shuffle(self, things: Sequence[T]) -> list[T]:
        """Return a new list with the items in random order.

        It swaps the last item with any, then the one before it, and so on.
        """
        mixed = list(things)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed


def _words(seed: bytes, label: str) -> Iterator[int]:
    """Yield the numbers of the stream, one after the other."""
    for counter in count():
        message = label.encode() + b"\0" + counter.to_bytes(4, "big")
        yield from _DIGEST.unpack(hmac.digest(seed, message, hashlib.sha256))

"""How much may be used in a time: by each of many, or by all together."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock

_MOST_KNOWN = 10_000


class RateLimit:
    """Each key may use `most` at once, which grows back by `a_second`. For any number of threads."""

    def __init__(self, most: float, a_second: float) -> None:
        self.most, self.a_second = most, a_second
        self._left: dict[Hashable, tuple[float, float]] = {}
        self._lock = Lock()

    def wait(self, now: float, key: Hashable = None, amount: float = 1) -> float:
        """Take an amount of what a key has left: 0.0; or take nothing, and return the seconds until it may.

        `now` is in seconds. More than `most` is taken as soon as nothing has been used for long enough.
        """
        amount = min(amount, self.most)
        with self._lock:
            left, since = self._left.get(key, (self.most, now))
            left = min(self.most, left + max(0.0, now - since) * self.a_second)
            allowed = left >= amount
            if key not in self._left and len(self._left) >= _MOST_KNOWN:
                self._left.clear()
            self._left[key] = (left - amount * allowed, now)
        return 0.0 if allowed else (amount - left) / self.a_second

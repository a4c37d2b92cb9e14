"""Rate limits, for each of many clients or for all together."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock

_MOST_KNOWN = 10_000


class RateLimit:
    """A token bucket for each key: `most` units, refilled at `a_second`. Safe for several threads.

    Of more than 10,000 keys, those used least recently are forgotten, as if their buckets were full.
    """

    def __init__(self, most: float, a_second: float) -> None:
        self.most, self.a_second = most, a_second
        self._left: dict[Hashable, tuple[float, float]] = {}
        self._lock = Lock()

    def wait(self, now: float, key: Hashable = None, amount: float = 1) -> float:
        """Take `amount` units and return 0.0; if too few are left, take none and return the seconds to wait.

        `now` is in seconds. An amount above `most` waits for a full bucket.
        """
        amount = min(amount, self.most)
        with self._lock:
            left, since = self._left.pop(key, (self.most, now))
            left = min(self.most, left + max(0.0, now - since) * self.a_second)
            allowed = left >= amount
            self._left[key] = (left - amount * allowed, now)
            if len(self._left) > _MOST_KNOWN:
                del self._left[next(iter(self._left))]
        return 0.0 if allowed else (amount - left) / self.a_second

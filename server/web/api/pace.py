"""How fast programs may ask: each token so many requests a minute, of which all may come at once."""

from datetime import datetime
from math import ceil
from threading import Lock

_MINUTE = 60
_MOST_KNOWN = 10_000


class Pace:
    """What each token has left, in this process; it grows again by the second."""

    def __init__(self, a_minute: int) -> None:
        self._most = a_minute
        self._left: dict[tuple[int, int], tuple[float, datetime]] = {}
        self._lock = Lock()

    def wait(self, token: tuple[int, int], now: datetime) -> int:
        """Take one request from what a token has left: 0; or, if nothing is, the seconds until one will be."""
        a_second = self._most / _MINUTE
        with self._lock:
            left, since = self._left.get(token, (self._most, now))
            left = min(self._most, left + max(0.0, (now - since).total_seconds()) * a_second)
            allowed = left >= 1
            if len(self._left) >= _MOST_KNOWN:
                self._left.clear()
            self._left[token] = (left - allowed, now)
        return 0 if allowed else ceil((1 - left) / a_second)

"""Certificates that anybody can have us fetch: kept, and fetched so seldom that it does no harm."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

Fetch = Callable[[str], bytes]
"""`fetch(url)` gets what is at an address of Amazon; what it raises goes through."""

MOST_KEPT = 16
MOST_AT_ONCE = 2
"""Fetches at one time: whoever asks for more is told to try again, and no thread waits."""
MOST_A_MINUTE = 20
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)


class TooMany(OSError):
    """So much is being fetched, or was a short while ago, that this is not."""


@dataclass(frozen=True)
class _Try:
    """The last try to fetch something: `content` is None where it failed."""

    began: datetime
    content: bytes | None = None


class Certificates:
    """A `fetch` that asks for the same address once, and again a minute after it failed; for all threads.

    A request names the address before its signature can be checked, so it is anybody's to name.
    """

    def __init__(self, fetch: Fetch, now: Callable[[], datetime]) -> None:
        self._fetch = fetch
        self._now = now
        self._lock = threading.Lock()
        self._tries: dict[str, _Try] = {}
        self._under_way = 0

    def fetch(self, url: str) -> bytes:
        """What is at an address. Raises TooMany, and what the fetch raises."""
        with self._lock:
            content = self._kept(url)
            if content is not None:
                return content
            began = self._begin(url)
        try:
            content = self._fetch(url)
            with self._lock:
                self._tries[url] = _Try(began, content)
        finally:
            with self._lock:
                self._under_way -= 1
        return content

    def _kept(self, url: str) -> bytes | None:
        tried = self._tries.get(url)
        return None if tried is None or not _within(_DAY, tried.began, self._now()) else tried.content

    def _begin(self, url: str) -> datetime:
        now = self._now()
        kept = [each for each, tried in self._tries.items() if tried.content is not None][-MOST_KEPT:]
        lately = [each for each, tried in self._tries.items() if _within(_MINUTE, tried.began, now)]
        if url in lately or len(lately) >= MOST_A_MINUTE or self._under_way >= MOST_AT_ONCE:
            raise TooMany("too many certificates are asked for")
        self._tries = {each: self._tries[each] for each in (*kept, *lately)} | {url: _Try(now)}
        self._under_way += 1
        return now


def _within(span: timedelta, began: datetime, now: datetime) -> bool:
    """Whether it began so lately; what began in the future did so before the clock was set back."""
    return timedelta() <= now - began < span

"""A cache of certificates, with limits: anyone can make Nabu fetch one, and this must do no harm."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

Fetch = Callable[[str], bytes]
"""`fetch(url)` returns the content of an address of Amazon, or raises any error."""

MOST_KEPT = 16
MOST_AT_ONCE = 2
"""Fetches at the same time: further requests are refused with “try again”, and no thread waits."""
MOST_A_MINUTE = 60
MOST_EACH = 10
"""Fetches a minute for one network: endless requests must not prevent the fetch of Amazon's certificate."""
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)


class TooMany(OSError):
    """Raised if there are too many fetches, or if this address was fetched a moment ago."""


@dataclass(frozen=True)
class _Kept:
    """The content of an address, and the time of the fetch."""

    content: bytes
    fetched: datetime


@dataclass(frozen=True)
class _Try:
    """The start of a fetch, successful or not, and the network that caused it."""

    began: datetime
    place: str


class Certificates:
    """Fetches certificates, each at most once a day, or once a minute after a failure; for all threads.

    A request names the address before its signature can be checked, so anyone can name one. A known certificate
    is refreshed whatever others request, and used while that fails: it contains its expiry.
    """

    def __init__(self, fetch: Fetch, now: Callable[[], datetime]) -> None:
        self._fetch = fetch
        self._now = now
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept] = {}
        """The most recently used one is the last."""
        self._tries: dict[str, _Try] = {}
        """The fetches of the last minute."""
        self._under_way = 0

    def fetch(self, url: str, place: str) -> bytes:
        """Return the content of an address, for a client in network `place`. Raises TooMany, and errors of the
        fetch.
        """
        with self._lock:
            kept = self._use(url)
            if kept is not None and (_within(_DAY, kept.fetched, self._now()) or self._was_tried(url)):
                return kept.content
            began = self._begin(url, place, is_known=kept is not None)
        try:
            content = self._fetch(url)
            with self._lock:
                self._keep(url, _Kept(content, began))
        except Exception:  # for any error: the known certificate remains good
            if kept is None:
                raise
            content = kept.content
        finally:
            with self._lock:
                self._under_way -= 1
        return content

    def _use(self, url: str) -> _Kept | None:
        kept = self._kept.pop(url, None)
        if kept is not None:
            self._kept[url] = kept
        return kept

    def _keep(self, url: str, content: _Kept) -> None:
        self._kept.pop(url, None)
        self._kept[url] = content
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]

    def _was_tried(self, url: str) -> bool:
        return url in self._tries and _within(_MINUTE, self._tries[url].began, self._now())

    def _begin(self, url: str, place: str, *, is_known: bool) -> datetime:
        now = self._now()
        self._tries = {
            each: attempt for each, attempt in self._tries.items() if _within(_MINUTE, attempt.began, now)
        }
        of_place = sum(attempt.place == place for attempt in self._tries.values())
        is_full = len(self._tries) >= MOST_A_MINUTE or of_place >= MOST_EACH or self._under_way >= MOST_AT_ONCE
        if url in self._tries or (is_full and not is_known):
            raise TooMany("too many certificates are requested")
        self._tries[url] = _Try(now, place)
        self._under_way += 1
        return now


def _within(span: timedelta, began: datetime, now: datetime) -> bool:
    """Return whether it began that recently; a beginning in the future was before the clock was set back."""
    return timedelta() <= now - began < span

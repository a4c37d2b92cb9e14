"""Certificates that anyone can make us fetch: kept, and fetched so rarely that it does no harm."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

Fetch = Callable[[str], bytes]
"""`fetch(url)` gets what is at an address of Amazon; what it raises goes through."""

MOST_KEPT = 16
MOST_AT_ONCE = 2
"""Fetches at one time: anyone asking for more is told to try again, and no thread waits."""
MOST_A_MINUTE = 60
MOST_EACH = 10
"""Fetches a minute for one place that asks: others who ask endlessly must leave us Amazon's certificate."""
_MINUTE = timedelta(minutes=1)
_DAY = timedelta(days=1)


class TooMany(OSError):
    """Not fetched, because so much is being fetched, or was a short while ago."""


@dataclass(frozen=True)
class _Kept:
    """What lay at an address, and when it was fetched."""

    content: bytes
    fetched: datetime


@dataclass(frozen=True)
class _Try:
    """When somebody had something fetched, whatever came of it."""

    began: datetime
    place: str


class Certificates:
    """A `fetch` that asks for the same address once a day, and at most once a minute; for all threads.

    A request names the address before its signature can be checked, so anyone can name one. What was fetched is
    fetched again whatever others ask for, and used while that fails: it says itself when it expires.
    """

    def __init__(self, fetch: Fetch, now: Callable[[], datetime]) -> None:
        self._fetch = fetch
        self._now = now
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept] = {}
        """What was used last comes last."""
        self._tries: dict[str, _Try] = {}
        """Those of the last minute."""
        self._under_way = 0

    def fetch(self, url: str, place: str) -> bytes:
        """What is at an address, for somebody at a place. Raises TooMany, and what the fetch raises."""
        with self._lock:
            kept = self._use(url)
            if kept is not None and (_within(_DAY, kept.fetched, self._now()) or self._was_tried(url)):
                return kept.content
            began = self._begin(url, place, is_known=kept is not None)
        try:
            content = self._fetch(url)
            with self._lock:
                self._keep(url, _Kept(content, began))
        except Exception:  # whatever it is, what was good is no worse for it
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
        self._tries = {each: told for each, told in self._tries.items() if _within(_MINUTE, told.began, now)}
        of_place = sum(told.place == place for told in self._tries.values())
        is_full = len(self._tries) >= MOST_A_MINUTE or of_place >= MOST_EACH or self._under_way >= MOST_AT_ONCE
        if url in self._tries or (is_full and not is_known):
            raise TooMany("too many certificates are asked for")
        self._tries[url] = _Try(now, place)
        self._under_way += 1
        return now


def _within(span: timedelta, began: datetime, now: datetime) -> bool:
    """Whether it began that recently; what began in the future did so before the clock was set back."""
    return timedelta() <= now - began < span

"""Certificates that anyone can make Nabu fetch: each once, and few at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from mail.incoming.webhooks.certificates import (
    MOST_A_MINUTE,
    MOST_AT_ONCE,
    MOST_EACH,
    MOST_KEPT,
    Certificates,
    TooMany,
)

PATIENCE = 60.0  # seconds to wait for an event


class Web:
    """Serves every address that does not begin with "no", and records all requests."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_away = False
        self.time = datetime(2026, 3, 1, tzinfo=UTC)
        self.certificates = Certificates(self.fetch, lambda: self.time)

    def fetch(self, url: str) -> bytes:
        self.asked.append(url)
        if url.startswith("no") or self.is_away:
            raise ConnectionError(url)
        return url.encode()

    def failures(self, names: range, places: int = 1) -> list[type[OSError]]:
        """Return the errors of fetches of "no0", "no1" and so on, requested by so many places in turn."""
        found = []
        for name in names:
            with pytest.raises(OSError) as failure:  # noqa: PT011 - the test compares the types
                self.certificates.fetch(f"no{name}", f"{name % places}")
            found.append(failure.type)
        return found


def test_certificate_is_refreshed_after_a_day() -> None:
    web = Web()
    for hours in (0, 23, 1):
        web.time += timedelta(hours=hours)
        assert web.certificates.fetch("a", "amazon") == b"a"
    assert web.asked == ["a", "a"]


def test_old_certificate_is_used_while_fetching_fails() -> None:
    web = Web()
    web.certificates.fetch("ours", "amazon")
    web.is_away = True
    for _ in range(50):
        web.time += timedelta(days=1)
        assert web.certificates.fetch("ours", "amazon") == b"ours"
        assert web.certificates.fetch("ours", "amazon") == b"ours"
    assert web.asked == ["ours"] * 51


def test_certificate_is_refreshed_during_many_requests() -> None:
    web = Web()
    web.certificates.fetch("ours", "amazon")
    web.time += timedelta(days=2)
    web.failures(range(2000), places=2000)
    assert web.certificates.fetch("ours", "amazon") == b"ours"
    assert web.asked.count("ours") == 2


def test_one_client_with_many_requests_does_not_block_others() -> None:
    web = Web()
    web.failures(range(2000))
    assert len(web.asked) == MOST_EACH
    assert web.certificates.fetch("ours", "amazon") == b"ours"


def test_used_certificates_stay_cached() -> None:
    web = Web()
    for number in range(3 * MOST_KEPT):
        web.certificates.fetch("ours", "amazon")
        web.certificates.fetch(f"{number}", "0")
        web.time += timedelta(minutes=2)
    assert web.asked.count("ours") == 1


def test_failed_fetch_is_repeated_at_most_once_a_minute() -> None:
    web = Web()
    assert web.failures(range(1)) == [ConnectionError]
    assert web.failures(range(1)) == [TooMany]
    web.time += timedelta(minutes=1)
    assert web.failures(range(1)) == [ConnectionError]
    assert web.asked == ["no0", "no0"]


def test_thousands_of_addresses_cause_few_fetches() -> None:
    web = Web()
    assert web.certificates.fetch("ours", "amazon") == b"ours"
    web.failures(range(2000), places=2000)
    assert len(web.asked) == MOST_A_MINUTE
    assert web.certificates.fetch("ours", "amazon") == b"ours"
    web.time += timedelta(minutes=1)
    assert web.certificates.fetch("other", "amazon") == b"other"


def test_cache_has_a_maximum_size() -> None:
    web = Web()
    for number in range(MOST_KEPT + 2):
        web.certificates.fetch(f"{number}", "amazon")
        web.time += timedelta(minutes=2)
    asked = len(web.asked)
    web.certificates.fetch(f"{MOST_KEPT + 1}", "amazon")
    assert len(web.asked) == asked
    web.certificates.fetch("0", "amazon")
    assert len(web.asked) == asked + 1


def test_clock_set_back_does_not_prevent_fetches() -> None:
    web = Web()
    web.certificates.fetch("a", "amazon")
    web.failures(range(1))
    web.time -= timedelta(days=10)
    assert web.certificates.fetch("a", "amazon") == b"a"
    assert web.failures(range(1)) == [ConnectionError]


def test_simultaneous_fetches_are_limited_without_waiting() -> None:
    gate, begun = threading.Event(), threading.Semaphore(0)

    def fetch(url: str) -> bytes:
        begun.release()
        assert gate.wait(PATIENCE)
        return url.encode()

    certificates = Certificates(fetch, lambda: datetime(2026, 3, 1, tzinfo=UTC))
    with ThreadPoolExecutor(MOST_AT_ONCE) as pool:
        slow = [pool.submit(certificates.fetch, f"{number}", "somebody") for number in range(MOST_AT_ONCE)]
        for _ in slow:
            assert begun.acquire(timeout=PATIENCE)
        with pytest.raises(TooMany):
            certificates.fetch("another", "amazon")
        gate.set()
        assert [each.result() for each in slow] == [b"0", b"1"]
    assert certificates.fetch("another", "amazon") == b"another"

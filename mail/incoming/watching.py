"""A thread that watches a source of emails."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from mail.incoming.batching import NoRoom
from mail.incoming.receiving import Received

K = TypeVar("K")

log = logging.getLogger(__name__)

Store = Callable[[Sequence[Received]], None]
"""`store(mails)` returns after all of them are stored durably, and raises if that fails."""

_FIRST_DELAY, _LONGEST_DELAY = 1.0, 300.0  # seconds before a retry
_REST = 3600.0  # seconds until an email that found no room is brought again
_GRACE = 2.0  # seconds to stop by itself


class Watcher:
    """Calls `watch(stopping)`, which runs until that event is set; calls it again after a delay if it raises.

    If it does not stop within two seconds, `hurry` is called to make it fail.
    """

    def __init__(
        self, name: str, watch: Callable[[threading.Event], None], hurry: Callable[[], None] = lambda: None
    ) -> None:
        self._name = name
        self._watch = watch
        self._hurry = hurry
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start to watch. Raises RuntimeError if it has already started."""
        if self._thread is not None:
            raise RuntimeError(f"{self._name} is being watched already")
        self._stopping.clear()
        self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop, and return when the thread has ended."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping.set()
        thread.join(_GRACE)
        if thread.is_alive():
            self._hurry()
        thread.join()

    def _run(self) -> None:
        delay = _FIRST_DELAY
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                self._watch(self._stopping)
            except Exception as error:
                if time.monotonic() - began > _LONGEST_DELAY:
                    delay = _FIRST_DELAY
                # The traceback is logged only the first time.
                log.warning("%s: %s", self._name, error, exc_info=delay == _FIRST_DELAY)
                self._stopping.wait(delay)
                delay = min(2 * delay, _LONGEST_DELAY)


class PutOff(Generic[K]):
    """The keys of emails that were not stored for lack of room; for an hour they are not even read again."""

    def __init__(self) -> None:
        self._until: dict[K, float] = {}

    def __contains__(self, key: K) -> bool:
        return time.monotonic() < self._until.get(key, 0.0)

    def add(self, key: K) -> None:
        """Do not read the email with this key for an hour."""
        now = time.monotonic()
        self._until = {other: until for other, until in self._until.items() if now < until}
        self._until[key] = now + _REST


def stored(store: Store, batch: Sequence[tuple[K, Received]], put_off: PutOff[K]) -> set[K]:
    """Store emails, each with a key; return the keys of those that were stored.

    If they cannot be stored together, each is stored separately.
    """
    try:
        store([mail for _, mail in batch])
    except Exception as error:
        if isinstance(error, NoRoom):
            log.warning("did not store %d emails: %s", len(batch), error)
        else:
            log.exception("did not store %d emails", len(batch))
        if len(batch) > 1:
            return set().union(*(stored(store, [each], put_off) for each in batch))
        if isinstance(error, NoRoom):
            put_off.add(batch[0][0])
        return set()
    return {key for key, _ in batch}

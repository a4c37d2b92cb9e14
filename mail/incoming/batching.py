"""Group commits: one thread stores the emails of many threads, as many at a time as are waiting."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

T = TypeVar("T")

log = logging.getLogger(__name__)

LARGEST = 1000  # items in one batch
_PATIENCE = 20.0  # seconds for trying the items of a failed batch one by one


class NoRoom(Exception):
    """Raised by `store` for email that exceeds a limit or the disk now; the sender may try again later."""


class Closed(RuntimeError):
    """Raised by `put` after the batches were closed."""


class Batches(Generic[T]):
    """Calls `store` in one thread, with all items that were put since the last call.

    If `store` raises for a batch, each item is tried alone, so that one bad item does not fail the others.
    Heavy items, by `is_heavy`, are stored one at a time, after all others, so that light ones do not wait for
    many heavy ones.
    """

    def __init__(
        self, store: Callable[[Sequence[T]], None], is_heavy: Callable[[T], bool] = lambda thing: False
    ) -> None:
        self._store = store
        self._is_heavy = is_heavy
        self._queue: queue.SimpleQueue[tuple[T, Future[None]] | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="mail-store", daemon=True)
        self._thread.start()

    def put(self, thing: T) -> Future[None]:
        """Return a future that is done when the item is stored, or has the error of `store`. Raises Closed."""
        stored: Future[None] = Future()
        with self._closing:
            if self._closed:
                raise Closed("cannot accept email: shutting down")
            self._queue.put((thing, stored))
        return stored

    def close(self) -> None:
        """Accept no more items, and return when all items put before are stored or have failed."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        for gathered in self._gather():
            # A cancelled future has no waiting sender any more: it is gone and will send again.
            batch = [(thing, stored) for thing, stored in gathered if stored.set_running_or_notify_cancel()]
            if batch:
                self._finish(batch)

    def _gather(self) -> Iterator[list[tuple[T, Future[None]]]]:
        """Yield all light items in the queue, then one heavy item, and so on, until the queue is closed."""
        light: list[tuple[T, Future[None]]] = []
        heavy: deque[tuple[T, Future[None]]] = deque()
        ended = False
        while heavy or not ended:
            while not ended and len(light) < LARGEST and not (self._queue.empty() and (light or heavy)):
                entry = self._queue.get()
                if entry is None:
                    ended = True
                elif self._is_heavy(entry[0]):
                    heavy.append(entry)
                else:
                    light.append(entry)
            if light:
                yield light
                light = []
            if heavy:
                yield [heavy.popleft()]

    def _finish(self, batch: Sequence[tuple[T, Future[None]]]) -> None:
        error = self._try([thing for thing, _ in batch])
        deadline = time.monotonic() + _PATIENCE
        for thing, stored in batch:
            # Alone, each may succeed; but if storing hangs, senders must get an answer before they disconnect.
            alone = error is not None and len(batch) > 1 and time.monotonic() < deadline
            failure = self._try([thing]) if alone else error
            if failure is None:
                stored.set_result(None)
            else:
                stored.set_exception(failure)

    def _try(self, things: Sequence[T]) -> Exception | None:
        try:
            self._store(things)
        except NoRoom as error:
            log.warning("did not store %d emails: %s", len(things), error)
            return error
        except Exception as error:
            log.exception("did not store %d emails", len(things))
            return error
        return None

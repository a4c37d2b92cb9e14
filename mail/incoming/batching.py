"""Group commit: one thread stores what many threads bring, as much at a time as has gathered."""

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

LARGEST = 1000  # things in one batch
_PATIENCE = 20.0  # seconds for trying the things of a failed batch one by one


class NoRoom(Exception):
    """Raised by `store` for mail that fits into no budget or disk now; it may be brought again later."""


class Closed(RuntimeError):
    """Nothing more is taken."""


class Batches(Generic[T]):
    """Calls `store` in one thread, with everything that was put since the last call.

    When `store` raises for a batch, each thing is tried alone, so that one bad thing does not fail the others.
    What `is_heavy` is stored one at a time, and others go first: nobody waits for many large things of others.
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
        """A future that is done when the thing is stored, or holds what `store` raised. Raises Closed."""
        stored: Future[None] = Future()
        with self._closing:
            if self._closed:
                raise Closed("no more mail is taken: shutting down")
            self._queue.put((thing, stored))
        return stored

    def close(self) -> None:
        """Take nothing more; returns when everything put before is stored or has failed."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        for gathered in self._gather():
            # Nobody waits any more where the future was cancelled: the sender is gone and will send again.
            batch = [(thing, stored) for thing, stored in gathered if stored.set_running_or_notify_cancel()]
            if batch:
                self._finish(batch)

    def _gather(self) -> Iterator[list[tuple[T, Future[None]]]]:
        """Everything light that is in the queue, then one heavy thing, again and again, until it is closed."""
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
            # Alone, each may succeed; but when storing hangs, the senders must hear so before they hang up.
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
            log.warning("%d mails were not stored: %s", len(things), error)
            return error
        except Exception as error:
            log.exception("%d mails were not stored", len(things))
            return error
        return None

"""Bells: what they ring for is looked at again and again, and at once when there may be something to do."""

import logging
import threading
import time
from collections.abc import Callable

from sqlalchemy import Engine

from server.store.db import is_away
from server.store.failures import diagnosis
from server.store.wakeups import wakes

REST = 0.25
"""Seconds between two times at which a task is done, at least: others may write all the time."""
_AGAIN = 1.0
"""Seconds until we listen again, after the database has failed."""


class Bells:
    """Tasks in threads of their own, each of which is done every so often, and whenever the bells ring.

    They ring when another connection to the database may have committed something to do. Whatever is committed
    before a task begins, it sees; a ring while it is at work has it work once more.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._closing = threading.Event()
        self._rung: list[threading.Event] = []
        self._threads = [threading.Thread(target=self._listen, name="ear of the bells")]

    def hang(self, name: str, seconds: float, task: Callable[[], None], *, rest: float = REST) -> None:
        """Have a task done every `seconds` at least, and every `rest` seconds at most; before `start`."""
        rung = threading.Event()
        self._rung.append(rung)
        arguments = rung, seconds, rest, Guarded(name, task)
        self._threads.append(threading.Thread(target=self._answer, args=arguments, name=name))

    def start(self) -> None:
        """Begin to do what is to be done."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Ring no more, and wait until what is being done is done."""
        self._closing.set()
        self.ring()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def ring(self) -> None:
        """Have all tasks done as soon as they can be."""
        for rung in self._rung:
            rung.set()

    def _answer(self, rung: threading.Event, seconds: float, rest: float, task: Callable[[], None]) -> None:
        while not self._closing.is_set():
            rung.clear()  # before the task looks, so that no ring is lost
            task()
            self._closing.wait(rest)
            rung.wait(seconds)

    def _listen(self) -> None:
        listen = Guarded("waking", self._ring_when_woken)
        while not self._closing.is_set():
            listen()
            self._closing.wait(_AGAIN)

    def _ring_when_woken(self) -> None:
        for _ in wakes(self._engine, self._closing):
            self.ring()


logger = logging.getLogger(__name__)

_REST, _LONGEST_REST = 1.0, 30.0
"""Seconds that a task rests after the database has failed."""


class Guarded:
    """A task whose failure is logged, only by kind and place, and which is tried again at the next bell.

    While the database fails it is tried ever more rarely, down to every half minute.
    """

    def __init__(self, name: str, task: Callable[[], None]) -> None:
        self._name, self._task = name, task
        self._rest = 0.0
        self._not_before = 0.0

    def __call__(self) -> None:
        if time.monotonic() < self._not_before:
            return
        try:
            self._task()
        except Exception as error:  # the bell must go on ringing
            logger.error("%s: %s; trying again", self._name, diagnosis(error))
            self._rest = min(max(2 * self._rest, _REST), _LONGEST_REST) if is_away(error) else 0.0
            self._not_before = time.monotonic() + self._rest
        else:
            self._rest = 0.0

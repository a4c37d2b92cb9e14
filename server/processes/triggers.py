"""Tasks that run every so often, and as soon as another process commits something that may concern them."""

import logging
import threading
import time
from collections.abc import Callable

from sqlalchemy import Engine

from server.store.db import is_away
from server.store.failures import diagnosis
from server.store.wakeups import wakes

MIN_INTERVAL = 0.25
"""Seconds between two times at which a task is done, at least: others may write all the time."""
_AGAIN = 1.0
"""Seconds until we listen again, after the database has failed."""


class TaskRunner:
    """Tasks in threads of their own, each of which runs every so often, and whenever it is triggered.

    The trigger is that another connection to the database may have committed something to do. A task sees what
    was committed before it begins; a trigger while it runs makes it run once more.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._closing = threading.Event()
        self._triggers: list[threading.Event] = []
        self._threads = [threading.Thread(target=self._listen, name="listener")]

    def add(self, name: str, seconds: float, task: Callable[[], None], *, rest: float = MIN_INTERVAL) -> None:
        """Run a task every `seconds` at least, and every `rest` seconds at most; call this before `start`."""
        triggered = threading.Event()
        self._triggers.append(triggered)
        arguments = triggered, seconds, rest, Guarded(name, task)
        self._threads.append(threading.Thread(target=self._run, args=arguments, name=name))

    def start(self) -> None:
        """Begin to run the tasks."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Run nothing more, and wait until what is running has ended."""
        self._closing.set()
        self.trigger()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def trigger(self) -> None:
        """Run all tasks as soon as they can run."""
        for triggered in self._triggers:
            triggered.set()

    def _run(self, triggered: threading.Event, seconds: float, rest: float, task: Callable[[], None]) -> None:
        while not self._closing.is_set():
            triggered.clear()  # before the task looks, so that no trigger is lost
            task()
            self._closing.wait(rest)
            triggered.wait(seconds)

    def _listen(self) -> None:
        listen = Guarded("waking", self._trigger_when_woken)
        while not self._closing.is_set():
            listen()
            self._closing.wait(_AGAIN)

    def _trigger_when_woken(self) -> None:
        for _ in wakes(self._engine, self._closing):
            self.trigger()


logger = logging.getLogger(__name__)

_REST, _LONGEST_REST = 1.0, 30.0
"""Seconds that a task rests after the database has failed."""


class Guarded:
    """A task whose failure is logged, only by its class and place, and which is tried again at the next run.

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
        except Exception as error:  # the task has to go on
            logger.error("%s: %s; trying again", self._name, diagnosis(error))
            self._rest = min(max(2 * self._rest, _REST), _LONGEST_REST) if is_away(error) else 0.0
            self._not_before = time.monotonic() + self._rest
        else:
            self._rest = 0.0

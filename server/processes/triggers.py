"""Tasks that run at intervals, and as soon as another process commits a change that may concern them."""

import logging
import threading
import time
from collections.abc import Callable

from sqlalchemy import Engine

from server.store.db import is_away
from server.store.failures import diagnosis
from server.store.wakeups import wake_others, wakes

MIN_INTERVAL = 0.25
"""The least seconds between two runs of a task, as other processes may commit all the time."""
_AGAIN = 1.0
"""Seconds after which to listen again when the database has failed."""


class TaskRunner:
    """Runs each task in its own thread, at intervals and whenever it is triggered.

    A commit of another database connection triggers all tasks, except those that do not react to commits. A
    task sees all commits before its start; a trigger while it runs makes it run once more.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._closing = threading.Event()
        self._triggers: list[threading.Event] = []
        self._wakes: list[threading.Event] = []
        """The triggers of all tasks, also of those that do not react to commits."""
        self._threads = [threading.Thread(target=self._listen, name="listener")]

    def add(
        self,
        name: str,
        seconds: float,
        task: Callable[[], None],
        *,
        rest: float = MIN_INTERVAL,
        on_commit: bool = True,
    ) -> None:
        """Add a task that runs `seconds` after its last run and, if `on_commit`, sooner when it is triggered.

        A triggered run starts at least `rest` seconds after the last one. Call it before `start`.
        """
        triggered = threading.Event()
        self._wakes.append(triggered)
        if on_commit:
            self._triggers.append(triggered)
        arguments = triggered, seconds, rest, Guarded(name, task)
        self._threads.append(threading.Thread(target=self._run, args=arguments, name=name))

    def start(self) -> None:
        """Start running the tasks."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop, and wait until the running tasks have ended."""
        self._closing.set()
        for each in self._wakes:
            each.set()
        wake_others(self._engine)  # the listener of this process, too
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def trigger(self) -> None:
        """Run all tasks as soon as possible."""
        for triggered in self._triggers:
            triggered.set()

    def _run(self, triggered: threading.Event, seconds: float, rest: float, task: Callable[[], None]) -> None:
        while not self._closing.is_set():
            triggered.clear()  # before the task looks, so that no trigger is lost
            task()
            ended = time.monotonic()
            if triggered.wait(seconds):
                self._closing.wait(max(0.0, ended + rest - time.monotonic()))

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
"""The least and most seconds for which a task pauses after the database has failed."""


class Guarded:
    """A task that continues with its next run after an error. Errors are logged by class and place only.

    While the database fails, the pauses between runs grow up to half a minute.
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
        except Exception as error:  # the task must continue
            logger.error("%s: %s; trying again", self._name, diagnosis(error))
            self._rest = min(max(2 * self._rest, _REST), _LONGEST_REST) if is_away(error) else 0.0
            self._not_before = time.monotonic() + self._rest
        else:
            self._rest = 0.0

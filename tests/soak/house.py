"""Nabu as its own commands in processes of their own, which are started again when they end, as by systemd."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from server.cli import main, run, serve
from server.processes.services import open_services
from server.settings import Settings
from tests.support.evening.house import SharedClock
from tests.support.forks import FORKS
from tests.support.server.services import environment_of

_LOOK = 0.5
_PATIENCE = 30.0
"""Seconds in which a process that is asked to end has to."""


class Part:
    """One of its processes; `ended` counts by exit code how often it ended without being killed by us."""

    def __init__(self, name: str, environment: Mapping[str, str], clock: SharedClock, log: Path) -> None:
        self.name = name
        self.ended: Counter[int | None] = Counter()
        self._arguments = environment, clock, log
        self._killed = False
        self._lock = threading.Lock()
        self._process = self._start()

    @property
    def pid(self) -> int:
        """Of the process that runs now, or ran last."""
        return self._process.pid or 0

    def kill(self) -> None:
        """SIGKILL, if it runs."""
        with self._lock:
            if self._process.is_alive():
                self._killed = True
                os.kill(self.pid, signal.SIGKILL)
                self._process.join()

    def keep(self) -> None:
        """Start it again if it has ended."""
        with self._lock:
            if not self._process.is_alive():
                if not self._killed:
                    self.ended[self._process.exitcode] += 1
                self._killed = False
                self._process = self._start()

    def stop(self) -> int | None:
        """Ask it to end; its exit code."""
        self._process.terminate()
        self._process.join(_PATIENCE)
        return self._process.exitcode

    def _start(self) -> ForkServerProcess:
        process = FORKS.Process(target=_run, args=(self.name, *self._arguments))
        process.start()
        return process


class House:
    """All its processes, with one clock."""

    def __init__(self, settings: Settings, logs: Path) -> None:
        self.settings = settings
        self.clock = SharedClock()
        environment = environment_of(settings)
        self.parts = {name: Part(name, environment, self.clock, logs / f"{name}.log") for name in serve.PARTS}
        self._closing = threading.Event()
        self._keeper = threading.Thread(target=self._keep)
        self._keeper.start()

    def close(self) -> dict[str, int | None]:
        """End all; their exit codes."""
        self._closing.set()
        self._keeper.join()
        return {name: part.stop() for name, part in self.parts.items()}

    def _keep(self) -> None:
        while not self._closing.wait(_LOOK):
            for part in self.parts.values():
                part.keep()


@contextmanager
def opened(settings: Settings, logs: Path) -> Iterator[House]:
    """A house for the length of a block; no process is left of it."""
    house = House(settings, logs)
    try:
        yield house
    finally:
        house.close()


def _run(part: str, environment: Mapping[str, str], clock: SharedClock, log: Path) -> None:
    """Be a command of Nabu with this environment; only the clock is not that on the wall."""
    with log.open("ab") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    os.environ.update(environment)
    setattr(run, "open_services", partial(open_services, now=clock))  # noqa: B010 - it exports none
    sys.argv = ["nabu", *serve.PARTS[part]]
    main()

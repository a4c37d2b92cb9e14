"""The processes of `nabu serve`: forks of one process, each restarted if it ends and replaced if it hangs.

A fork shares the memory of all imported modules. So the parent imports everything, but keeps no connection to
the database and no thread.
"""

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

from server.monitoring import pulse

logger = logging.getLogger(__name__)

HUNG = 120.0
"""Seconds without a pulse after which a process is replaced. A lock or an outage of the database lasts less."""
_GRACE = 20.0
"""Seconds after which processes that do not end are killed."""
_LAST_GRACE = 30.0
"""Seconds after which a process whose parent has ended is stopped by force."""
_FORK = multiprocessing.get_context("fork")
_ENDING = {signal.SIGINT, signal.SIGTERM}


class Lifeline:
    """A pipe by which processes notice that their parent has ended, even if it was killed."""

    def __init__(self) -> None:
        self._ends = os.pipe()

    def end_with_parent(self) -> None:
        """End this process, a child, together with the one that made the pipe."""
        own, parents = self._ends
        os.close(parents)

        def follow() -> None:
            os.read(own, 1)
            os.kill(os.getpid(), signal.SIGTERM)
            threading.Event().wait(_LAST_GRACE)
            os._exit(1)

        threading.Thread(target=follow, name="lifeline", daemon=True).start()


def fork(name: str, run: Callable[[], None], lifeline: Lifeline) -> BaseProcess:
    """Start a process that calls `run`, and return it."""

    def body() -> None:
        for number in _ENDING:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        with suppress(OSError):
            Path("/proc/self/comm").write_text(f"nabu {name}", encoding="ascii")  # the name that `top` shows
        lifeline.end_with_parent()
        run()

    process = _FORK.Process(target=body, name=name)
    # A signal that comes before the child has its own handlers must wait for them.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return process


class Child:
    """A process that calls `run`; `folder` has its pulse."""

    def __init__(self, name: str, run: Callable[[], None], lifeline: Lifeline, folder: str) -> None:
        self._name, self._run, self._lifeline = name, run, lifeline
        self._pulse = pulse.file_of(folder, name)
        self._started, self._alive, self._beaten = 0.0, 0.0, 0
        self.process = self._start()

    def keep_running(self) -> None:
        """Restart the process if it has ended, at most every five seconds, or if it hangs."""
        if self.process.exitcode is None:
            self._replace_if_hung()
        elif time.monotonic() - self._started >= 5:
            logger.error("%s ended with code %s; restarting it", self._name, self.process.exitcode)
            self.process = self._start()

    def _replace_if_hung(self) -> None:
        beaten = self._last_pulse()
        # The time of the file may jump with the clock, so only a change counts.
        if beaten != self._beaten:
            self._beaten, self._alive = beaten, time.monotonic()
        elif time.monotonic() - self._alive > HUNG:
            logger.error("%s hangs: no sign of life for %g seconds; replacing it", self._name, HUNG)
            self.process.kill()  # a stopped process does not notice SIGTERM
            self.process.join()
            self.process = self._start()

    def _last_pulse(self) -> int:
        try:
            return self._pulse.stat().st_mtime_ns
        except OSError:
            return 0

    def _start(self) -> BaseProcess:
        self._started = self._alive = time.monotonic()
        self._beaten = self._last_pulse()
        return fork(self._name, self._run, self._lifeline)


def end_all(processes: Mapping[str, BaseProcess], grace: float = _GRACE) -> None:
    """Stop processes, and kill those still running after `grace` seconds; no data is lost by that."""
    for process in processes.values():
        process.terminate()
    end = time.monotonic() + grace
    for name, process in processes.items():
        process.join(max(0.0, end - time.monotonic()))
        if process.exitcode is None:
            logger.warning("%s did not end within %g seconds, killing it", name, grace)
            process.kill()
            process.join()


def notify_systemd(state: str) -> None:
    """Report `READY=1`, `WATCHDOG=1` or `STOPPING=1` to systemd, if it has started this process."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
        try:
            # An @ stands for the null byte of an abstract address.
            way.sendto(state.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)
        except OSError as error:
            logger.warning("cannot notify systemd: %s", error.strerror)

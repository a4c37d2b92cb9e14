"""The processes of `nabu serve`: each is restarted if it ends, and replaced if it hangs."""

import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from server.monitoring import metrics, pulse

logger = logging.getLogger(__name__)

HUNG = 120.0
"""Seconds without a pulse after which a process is replaced. A lock or an outage of the database lasts less."""
_GRACE = 20.0
"""Seconds after which processes that do not end are killed."""


class Child:
    """One process; `arguments` are those of `nabu`."""

    def __init__(
        self, name: str, arguments: Sequence[str], lifeline: int, environment: Mapping[str, str]
    ) -> None:
        self._command = [sys.executable, "-m", "server", "--lifeline", str(lifeline), *arguments]
        self._name = name
        self._lifeline, self._environment = lifeline, environment
        self._pulse = pulse.file_of(environment[metrics.FOLDER], name)
        self._started, self._alive, self._beaten = 0.0, 0.0, 0
        self.process = self._start()

    def keep_running(self) -> None:
        """Restart the process if it has ended, at most every five seconds, or if it hangs."""
        if self.process.poll() is None:
            self._replace_if_hung()
        elif time.monotonic() - self._started >= 5:
            logger.error("%s ended with code %s; restarting it", self._name, self.process.returncode)
            self.process = self._start()

    def _replace_if_hung(self) -> None:
        beaten = self._last_pulse()
        # The time of the file may jump with the clock, so only a change counts.
        if beaten != self._beaten:
            self._beaten, self._alive = beaten, time.monotonic()
        elif time.monotonic() - self._alive > HUNG:
            logger.error("%s hangs: no sign of life for %g seconds; replacing it", self._name, HUNG)
            self.process.kill()  # a stopped process does not notice SIGTERM
            self.process.wait()
            self.process = self._start()

    def _last_pulse(self) -> int:
        try:
            return self._pulse.stat().st_mtime_ns
        except OSError:
            return 0

    def _start(self) -> subprocess.Popen[bytes]:
        self._started = self._alive = time.monotonic()
        self._beaten = self._last_pulse()
        return subprocess.Popen(  # noqa: S603 - our own command
            self._command, pass_fds=[self._lifeline], env=self._environment
        )


def end_all(processes: Mapping[str, subprocess.Popen[bytes]], grace: float = _GRACE) -> None:
    """Stop processes, and kill those still running after `grace` seconds; no data is lost by that."""
    for process in processes.values():
        process.terminate()
    end = time.monotonic() + grace
    for name, process in processes.items():
        try:
            process.wait(max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            logger.warning("%s did not end within %g seconds, killing it", name, grace)
            process.kill()
            process.wait()


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

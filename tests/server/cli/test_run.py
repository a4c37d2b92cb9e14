"""The processes of `nabu serve`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from server.cli.run import end_all, stop_event

pytestmark = pytest.mark.slow

WILLING = "print(flush=True); import time; time.sleep(600)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {WILLING}"


def started(program: str) -> subprocess.Popen[bytes]:
    """Return a running process, after the program in it has started."""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    return process


UNWOKEN = """
import signal, threading, time
from server.cli.run import wait_for_signal

def get():
    time.sleep(0.5)  # until the main thread waits
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

threading.Thread(target=get).start()
print(flush=True)
wait_for_signal()
"""


def test_what_does_not_end_when_asked_is_killed(caplog: pytest.LogCaptureFixture) -> None:
    processes = {name: started(DEAF) for name in ("mail", "worker")}
    end_all(processes, grace=0.1)
    assert [process.returncode for process in processes.values()] == [-signal.SIGKILL] * 2
    assert "worker did not end" in caplog.text


def test_what_ends_when_asked_is_not() -> None:
    process = started(WILLING)
    end_all({"web": process})
    assert process.returncode == -signal.SIGTERM


def test_being_asked_to_end_at_a_bad_moment_does_not_hang() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    stop = stop_event()
    try:
        with stop._cond:  # type: ignore[attr-defined]  # as while it begins to wait
            os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(60)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@pytest.mark.long
def test_a_signal_that_does_not_wake_the_main_thread_ends_it_all_the_same() -> None:
    process = started(UNWOKEN)
    try:
        assert process.wait(60) == 0
    finally:
        process.kill()

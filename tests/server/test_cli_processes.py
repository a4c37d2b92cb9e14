"""The processes of `nabu serve`."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from server.cli.processes import end_all

WILLING = "print(flush=True); import time; time.sleep(600)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {WILLING}"


def started(program: str) -> subprocess.Popen[bytes]:
    """A process that runs a program, when it has begun."""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    return process


def test_what_does_not_end_when_asked_is_killed(caplog: pytest.LogCaptureFixture) -> None:
    processes = {name: started(DEAF) for name in ("mail", "worker")}
    end_all(processes, grace=0.1)
    assert [process.returncode for process in processes.values()] == [-signal.SIGKILL] * 2
    assert "worker did not end" in caplog.text


def test_what_ends_when_asked_is_not() -> None:
    process = started(WILLING)
    end_all({"web": process})
    assert process.returncode == -signal.SIGTERM

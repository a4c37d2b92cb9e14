"""Processes that other processes have started. Any of them may end while a test looks at it."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from tests.support.machine.waiting import await_that


def children_of(process: int) -> list[int]:
    """The processes that another, which runs, has started."""
    return [int(found) for found in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def is_alive(process: int) -> bool:
    """Return whether it still runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def ticks_of(process: int) -> int:
    """Return its CPU time in hundredths of a second; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11])
    except (FileNotFoundError, ProcessLookupError):
        return 0


def name_of(process: int) -> str:
    """Return its command line; shortly after its start, that of its parent. Empty if it has ended."""
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def kill_with_children(process: int) -> None:
    """Kill it and all that it has started at once; return when none of them is there any more."""
    killed = (process, *children_of(process))
    for each in killed:
        with suppress(ProcessLookupError):  # children may end as soon as their parent has
            os.kill(each, signal.SIGKILL)
    await_that(lambda: not any(map(is_alive, killed)))

"""Processes of ours that are measured, and the CPU time that they take."""

import multiprocessing
import os
import resource
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

Processes = Mapping[str, Sequence[int]]
"""Numbers of processes, by what they are."""

WORLD = "the world"
"""What this process is: it plays everybody and everything else."""
_context = multiprocessing.get_context("spawn")


@dataclass
class Process:
    """A process of ours, told to end through its pipe."""

    pid: int
    address: tuple[str, int]
    pipe: Connection
    process: multiprocessing.context.SpawnProcess

    def stop(self) -> None:
        """Have it end."""
        stop_all([self])


def start(target: object, *arguments: object) -> Process:
    """Run `target(*arguments, pipe)` in a process; it sends its address, and ends when it is sent something."""
    ours, theirs = _context.Pipe()
    process = _context.Process(target=target, args=(*arguments, theirs))  # type: ignore[arg-type]
    process.start()
    address = ours.recv()
    return Process(process.pid or 0, address, ours, process)


def stop_all(processes: Sequence[Process]) -> None:
    """Have several end, at the same time."""
    for each in processes:
        each.pipe.send("stop")
    for each in processes:
        each.process.join(30)


def cpu_of(processes: Processes) -> dict[str, float]:
    """The CPU seconds of processes so far, with all that they started, and of this one, the world."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    spent, children = _spent()

    def ticks(pid: int) -> int:
        return spent.get(pid, 0) + sum(map(ticks, children[pid]))

    tick = os.sysconf("SC_CLK_TCK")
    found = {name: sum(map(ticks, pids)) / tick for name, pids in processes.items()}
    return {WORLD: own.ru_utime + own.ru_stime, **found}


def cpu_since(before: dict[str, float], processes: Processes) -> dict[str, float]:
    """What they and this process have spent since `before`."""
    return {name: seconds - before[name] for name, seconds in cpu_of(processes).items()}


def parent_of(pid: int, command: str) -> int | None:
    """The process that started another, which runs this command; None if there is no such here."""
    try:
        found = Path(f"/proc/{pid}/comm").read_text().strip()
        return int(_stat(pid)[1]) if found == command else None
    except (FileNotFoundError, ProcessLookupError):
        return None


def _spent() -> tuple[dict[int, int], defaultdict[int, list[int]]]:
    """What each process here has spent so far, with its children that have ended, and its other children."""
    spent: dict[int, int] = {}
    children: defaultdict[int, list[int]] = defaultdict(list)
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(FileNotFoundError, ProcessLookupError):  # it ends just now
            words = _stat(int(name))
            spent[int(name)] = sum(map(int, words[11:15]))
            children[int(words[1])].append(int(name))
    return spent, children


def _stat(pid: int) -> list[str]:
    """What the system says of a process, from its state on: `man proc_pid_stat`."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()

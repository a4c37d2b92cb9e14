"""Processes of ours that are measured, and the CPU time that they take."""

import multiprocessing
import os
import resource
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

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
        self.pipe.send("stop")
        self.process.join(30)


def start(target: object, *arguments: object) -> Process:
    """Run `target(*arguments, pipe)` in a process; it sends its address, and ends when it is sent something."""
    ours, theirs = _context.Pipe()
    process = _context.Process(target=target, args=(*arguments, theirs))  # type: ignore[arg-type]
    process.start()
    address = ours.recv()
    return Process(process.pid or 0, address, ours, process)


def cpu_of(processes: dict[str, int]) -> dict[str, float]:
    """The CPU seconds of processes so far, and of this one, which plays the world."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    found = {"the world": own.ru_utime + own.ru_stime}
    tick = os.sysconf("SC_CLK_TCK")
    for name, pid in processes.items():
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        found[name] = (int(words[11]) + int(words[12])) / tick
    return found


def cpu_since(before: dict[str, float], processes: dict[str, int]) -> dict[str, float]:
    """What they and this process have spent since `before`."""
    return {name: seconds - before[name] for name, seconds in cpu_of(processes).items()}

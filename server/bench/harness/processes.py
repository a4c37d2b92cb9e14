"""The measured processes of Nabu, with their settings; their CPU time and their memory."""

import logging
import multiprocessing
import os
import resource
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from server.processes.computer_process import Computers
from server.processes.mail_process import Mailroom
from server.processes.services import Services, open_services
from server.processes.worker import Worker
from server.settings import Settings

Processes = Mapping[str, Sequence[int]]
"""Process ids, by role."""

WORLD = "the world"
"""The role of this process: it plays all people and other servers."""
DOMAIN = "bench.test"
"""The domain of the games."""
_context = multiprocessing.get_context("spawn")


@dataclass
class Process:
    """A process of Nabu that ends through its pipe."""

    pid: int
    address: tuple[str, int]
    pipe: Connection
    process: multiprocessing.context.SpawnProcess

    def stop(self) -> None:
        """End the process."""
        stop_all([self])


def start(target: object, *arguments: object) -> Process:
    """Run `target(*arguments, pipe)` in a process; it sends its address, and ends when it is sent something."""
    ours, theirs = _context.Pipe()
    process = _context.Process(target=target, args=(*arguments, theirs))  # type: ignore[arg-type]
    process.start()
    address = ours.recv()
    return Process(process.pid or 0, address, ours, process)


def stop_all(processes: Sequence[Process]) -> None:
    """End several processes, at the same time."""
    for each in processes:
        each.pipe.send("stop")
    for each in processes:
        each.process.join(30)


def cpu_of(processes: Processes) -> dict[str, float]:
    """Return the CPU seconds of processes with their children, by role; this process is WORLD."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    spent, children = _spent()

    def ticks(pid: int) -> int:
        return spent.get(pid, 0) + sum(map(ticks, children[pid]))

    tick = os.sysconf("SC_CLK_TCK")
    found = {name: sum(map(ticks, pids)) / tick for name, pids in processes.items()}
    return {WORLD: own.ru_utime + own.ru_stime, **found}


def cpu_since(before: dict[str, float], processes: Processes) -> dict[str, float]:
    """Return the CPU seconds of these processes and of this one since `before`."""
    return {name: seconds - before[name] for name, seconds in cpu_of(processes).items()}


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have started."""
    _, children = _spent()
    found = list(children[pid])
    for each in found:
        found.extend(children[each])
    return found


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process so far, without its children."""
    return sum(map(int, _stat(pid)[11:13])) / os.sysconf("SC_CLK_TCK")


def mebibytes_of(processes: Processes) -> float:
    """Return the proportional set size of processes with their children."""
    found = 0.0
    for pid in [pid for pids in processes.values() for pid in pids]:
        for each in (pid, *descendants(pid)):
            with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
                found += mebibytes(each)
    return found


def mebibytes(pid: int) -> float:
    """Return the proportional set size of a process: memory that several share counts in equal parts."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(text.partition("\nPss:")[2].split()[0]) / 1024


def _spent() -> tuple[dict[int, int], defaultdict[int, list[int]]]:
    """Return the CPU time of each process so far, with its ended children, and its other children."""
    spent: dict[int, int] = {}
    children: defaultdict[int, list[int]] = defaultdict(list)
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(FileNotFoundError, ProcessLookupError):  # it ends just now
            words = _stat(int(name))
            spent[int(name)] = sum(map(int, words[11:15]))
            children[int(words[1])].append(int(name))
    return spent, children


def _stat(pid: int) -> list[str]:
    """Return the system's fields on a process, from its state on: `man proc_pid_stat`."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def settings_for(database_url: str, sink: tuple[str, int]) -> Settings:
    """Return settings for services on this database, whose relay is the sink."""
    return Settings(
        secret_key="b" * 32,
        mail_domain=DOMAIN,
        database_url=database_url,
        smtp_listen="127.0.0.1:0",
        smtp_url=f"smtp://{sink[0]}:{sink[1]}",
        domain_rate=1_000_000,
        log_level="ERROR",
    )


def run_mail_process(settings: Settings, ready: Connection) -> None:
    """Take emails and handle them; send the address to `ready`, and end when anything comes back."""
    logging.getLogger().setLevel(settings.log_level)
    room = Mailroom(open_services(settings))
    room.start()
    ready.send(room.listeners[0].address)
    ready.recv()
    room.stop()


def run_part(make: Callable[[Services], Worker | Computers], settings: Settings, ready: Connection) -> None:
    """Run the background jobs or the computer players; send and end as `run_mail_process` does."""
    part = make(open_services(settings))
    part.start()
    ready.send(("", 0))
    ready.recv()
    part.stop()

"""The memory, the CPU time and the wakeups of a server that has nothing to do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from server.bench.harness.databases import new_database, server_option
from server.bench.harness.processes import cpu_seconds, descendants, mebibytes

SETTLED = 20.0
"""Seconds until new processes are idle."""
_PATIENCE = 60.0
_PROCESSES = 5
"""The processes of `nabu serve`: the one that starts the others, web, mail, worker and computer players."""


@dataclass(frozen=True)
class Use:
    """The use of resources of a process so far: CPU time in seconds, and the wakeups of all its threads."""

    name: str
    cpu: float
    wakeups: int
    mebibytes: float
    """Its proportional set size: memory that several processes share counts in equal parts."""


@dataclass(frozen=True)
class IdleMeasurement:
    """The results for one process: mebibytes, the share of a core, and wakeups per second."""

    name: str
    mebibytes: float
    core: float
    wakeups: float


@click.command("idle")
@click.option(
    "--seconds", type=click.FloatRange(1), default=60.0, show_default=True, help="Seconds to measure."
)
@server_option
def bench_idle(seconds: float, server: str | None) -> None:
    """Measure memory, CPU time and wakeups of `nabu serve` on a new database while nothing happens."""
    click.echo(f"{'':<16}{'MiB (PSS)':>10}{'% of a core':>14}{'wakeups/s':>12}")
    for each in run(seconds, server):
        click.echo(f"{each.name:<16}{each.mebibytes:10.1f}{100 * each.core:14.2f}{each.wakeups:12.1f}")


def run(seconds: float, server: str | None = None) -> Sequence[IdleMeasurement]:
    """Return the measurements of all processes of `nabu serve`, and their sum."""
    with new_database(server) as url, served(url) as serve:
        _await_all(serve)
        time.sleep(SETTLED)
        began, before = time.monotonic(), _uses(serve.pid)
        time.sleep(seconds)
        passed, after = time.monotonic() - began, _uses(serve.pid)
    if before.keys() != after.keys():
        raise RuntimeError("a process ended meanwhile")
    found = [
        IdleMeasurement(
            used.name,
            used.mebibytes,
            (used.cpu - before[pid].cpu) / passed,
            (used.wakeups - before[pid].wakeups) / passed,
        )
        for pid, used in after.items()
    ]
    sums = (sum(getattr(each, part) for each in found) for part in ("mebibytes", "core", "wakeups"))
    return [*found, IdleMeasurement("in all", *sums)]


@contextmanager
def served(url: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run `nabu serve` on a database, and end it."""
    others = {name: value for name, value in os.environ.items() if not name.startswith("NABU_")}
    settings = {
        "NABU_SECRET_KEY": "b" * 32,
        "NABU_MAIL_DOMAIN": "bench.test",
        "NABU_DATABASE_URL": url,
        "NABU_HTTP_LISTEN": "127.0.0.1:0",
        "NABU_SMTP_LISTEN": "127.0.0.1:0",
        "NABU_LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-m", "server", "serve"]
    with subprocess.Popen(command, env={**others, **settings}) as process:  # noqa: S603 - it is Nabu itself
        try:
            yield process
        finally:
            process.terminate()


def _await_all(serve: subprocess.Popen[bytes]) -> None:
    """Return when all processes of `nabu serve` have started."""
    patience = time.monotonic() + _PATIENCE
    while len([serve.pid, *descendants(serve.pid)]) < _PROCESSES:
        if serve.poll() is not None or time.monotonic() > patience:
            raise RuntimeError("nabu serve has not started")
        time.sleep(0.1)


def _uses(serve: int) -> dict[int, Use]:
    """Return what `nabu serve` and its other processes have used."""
    return {pid: _use(pid, "" if pid != serve else "nabu serve") for pid in (serve, *descendants(serve))}


def _use(pid: int, name: str) -> Use:
    folder = Path(f"/proc/{pid}")
    wakeups = sum(map(wakeups_of, folder.glob("task/*/status")))
    own = (folder / "comm").read_text().strip()
    return Use(name or own, cpu_seconds(pid), wakeups, mebibytes(pid))


def wakeups_of(status: Path) -> int:
    """Return how often a thread has woken up, from the system's file about it; 0 if it has just ended."""
    try:
        text = status.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    # A thread that waits gives its core away voluntarily, and wakes up afterwards.
    return int(text.partition("\nvoluntary_ctxt_switches:")[2].split()[0])

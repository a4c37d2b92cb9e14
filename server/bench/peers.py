"""Nabu's turns compared with posts of GNU Mailman, a mailing list server in the same language with the same
libraries.

Mailman is installed in a separate environment, and only run as a program, because its license is the GPL.
"""

from __future__ import annotations

import os
import signal
import smtplib
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from uuid import uuid4

import click

from server.bench import turn
from server.bench.harness.load import Couriers, sink
from server.bench.harness.processes import WORLD, cpu_of, cpu_since, mebibytes_of
from server.bench.turn import BEFORE, TurnMeasurement, reply, run_floor_turns, run_turns

VERSION = "mailman==3.3.10"
INSTALLED = "installed"
"""The file that contains VERSION once its installation is complete."""
MAILMAN, NABU, FLOOR = "GNU Mailman", "Nabu", "floor"
RATE, CPU = 4.5, 0.2
"""Targets: Nabu's rate and CPU time, as multiples of Mailman's."""
PATIENCE = 300.0
"""Seconds to wait for the next copy of a post, and for Mailman to end."""
_STARTING = 300.0
"""Seconds to wait until Mailman has started: a busy machine takes more than one minute."""
_HOST, _LIST, _MEMBERS = "127.0.0.1", "posts@lists.test", ("one@example.org", "two@example.org")
_CONFIGURATION = f"""\
[mailman]
layout: bench
site_owner: owner@lists.test

[paths.bench]
var_dir: {{state}}

[runner.rest]
start: no

[mta]
incoming: mailman.mta.null.NullMTA
lmtp_host: {_HOST}
lmtp_port: {{lmtp_port}}
smtp_host: {_HOST}
smtp_port: {{smtp_port}}
# Each member gets a separate email, as each of Nabu's players does.
max_recipients: 1
"""
_WITHOUT_COPIES = """\
m.archive_policy = type(m.archive_policy).never
m.digests_enabled = False
commit()
"""
"""Input for Mailman's shell: a list that neither archives posts nor collects them for digests."""

Round = Mapping[str, TurnMeasurement]
"""The measurements of one round, by the name of the server."""


@click.command("peers")
@click.option(
    "--turns", type=click.IntRange(1), default=300, show_default=True, help="Turns, and posts, in each round."
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Number of rounds; each measures all servers.",
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Games in progress at the same time.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder in which Mailman is installed and stays, for the next run. Default: a temporary folder.",
)
def bench_peers(turns: int, rounds: int, games: int, folder: Path | None) -> None:
    """Compare turns with posts of GNU Mailman: one email in, two out, on SQLite, in alternation.

    Nabu installs Mailman with pip in a separate environment.
    """
    with installed(folder) as programs, configured(programs) as mailman:
        found = []
        for number in range(1, rounds + 1):
            posts = mailman.pass_posts(turns)
            played, reports = run_turns("nebuchadnezzar", games, turns)
            found.append({MAILMAN: posts, NABU: played, FLOOR: run_floor_turns(reports, turns)})
            rates = ", ".join(f"{name} {each.rate:.1f} per second" for name, each in found[-1].items())
            click.echo(f"round {number} of {rounds}: {rates}", err=True)
    for line in table(found):
        click.echo(line)


def table(rounds: Sequence[Round]) -> Iterator[str]:
    """Yield the lines of a table with the medians of these rounds, and the ratios."""
    turns = rounds[0][NABU].turns
    yield f"{turns} turns or posts, one email in, two out; medians of {len(rounds)}, without senders and relay"
    yield f"{'':<16}{'per second':>12}{'CPU ms':>10}{'MiB (PSS)':>12}"
    for name in rounds[0]:
        rate, cpu, memory = (
            median(each) for each in zip(*(_figures(each[name]) for each in rounds), strict=True)
        )
        yield f"{name:<16}{rate:12.1f}{cpu:10.2f}{memory:12.0f}"
    pairs = [(_figures(each[NABU]), _figures(each[MAILMAN])) for each in rounds]
    rate, cpu, memory = (median(ours[part] / theirs[part] for ours, theirs in pairs) for part in range(3))
    yield f"{'Nabu : Mailman':<16}{rate:12.2f}{cpu:10.2f}{memory:12.2f}"
    yield f"{'target':<16}{f'>= {RATE}':>12}{f'<= {CPU}':>10}"


def _figures(measured: TurnMeasurement) -> tuple[float, float, float]:
    """Return turns per second, milliseconds of CPU time per turn, and mebibytes."""
    cpu = sum(seconds for role, seconds in measured.cpu.items() if role != WORLD)
    return measured.rate, 1000 * cpu / measured.turns, measured.mebibytes


@contextmanager
def installed(folder: Path | None) -> Iterator[Path]:
    """Install Mailman in this folder, unless this version is there, and yield the folder of its programs.

    Without a folder, install it in a temporary one, and remove that afterwards.
    """
    place = tempfile.TemporaryDirectory(prefix="nabu-bench-") if folder is None else nullcontext(str(folder))
    with place as environment:
        programs, marker = Path(environment) / "bin", Path(environment) / INSTALLED
        if not marker.exists() or marker.read_text() != VERSION:
            click.echo(f"installing {VERSION}", err=True)
            _call(
                f"Python cannot create an environment in {environment}",
                sys.executable,
                "-m",
                "venv",
                environment,
            )
            _call(
                f"pip cannot install {VERSION}, for which it needs the network",
                programs / "pip",
                *("install", "--quiet", "--disable-pip-version-check", "--retries", "1", VERSION),
            )
            marker.write_text(VERSION)
        yield programs


@contextmanager
def configured(programs: Path) -> Iterator[Mailman]:
    """Yield a Mailman with a list of two members; its state is in a temporary folder, removed afterwards."""
    copies = threading.Semaphore(0)

    def arrived(recipient: str, content: bytes) -> None:
        if recipient == _LIST:  # and not a notice to its owner
            copies.release()

    with (
        # Killed processes of Mailman may still write to it.
        tempfile.TemporaryDirectory(prefix="nabu-bench-", ignore_cleanup_errors=True) as folder,
        sink(arrived) as (_, smtp_port),
    ):
        with socket.create_server((_HOST, 0)) as free:
            lmtp_port = free.getsockname()[1]
        mailman = Mailman(programs, Path(folder), lmtp_port, copies)
        mailman.configuration.write_text(
            _CONFIGURATION.format(state=folder, lmtp_port=lmtp_port, smtp_port=smtp_port)
        )
        mailman.call("create", _LIST)
        mailman.call("addmembers", "--no-welcome-msg", "-", _LIST, text="\n".join(_MEMBERS))
        mailman.call("shell", "-l", _LIST, text=_WITHOUT_COPIES)
        yield mailman


@dataclass(frozen=True)
class Mailman:
    """An installed and configured Mailman."""

    programs: Path
    state: Path
    lmtp_port: int
    copies: threading.Semaphore
    """Released for each copy that arrives."""

    @property
    def configuration(self) -> Path:
        """The file with its configuration."""
        return self.state / "mailman.cfg"

    def call(self, *arguments: str, text: str = "") -> None:
        """Run a command of Mailman with this input."""
        allowed = ["--run-as-root"] if os.geteuid() == 0 else []  # Mailman refuses root otherwise
        program, configuration = self.programs / "mailman", self.configuration
        _call(f"`mailman {arguments[0]}` failed", program, *allowed, "-C", configuration, *arguments, text=text)

    def pass_posts(self, posts: int) -> TurnMeasurement:
        """Start Mailman, send this many posts to the list, wait for both copies of each, and stop Mailman."""
        with self._running() as master:
            processes = {MAILMAN: [master]}
            senders = Couriers([(_HOST, self.lmtp_port)], protocol=smtplib.LMTP)
            try:
                self._pass(senders, BEFORE)
                time.sleep(turn.SETTLED)
                began, cpu = time.monotonic(), cpu_of(processes)
                self._pass(senders, posts)
                seconds, spent = time.monotonic() - began, cpu_since(cpu, processes)
                return TurnMeasurement(posts, seconds, spent, mebibytes=mebibytes_of(processes))
            finally:
                senders.stop()

    def _pass(self, senders: Couriers, posts: int) -> None:
        for _ in range(posts):
            senders.send(reply(_MEMBERS[0], _LIST, "c4", uuid4().hex))
        for number in range(2 * posts):
            if not self.copies.acquire(timeout=PATIENCE):
                log = _end_of(self.state / "logs" / "mailman.log")
                raise click.ClickException(f"Mailman delivered {number} of {2 * posts} emails:\n{log}")

    @contextmanager
    def _running(self) -> Iterator[int]:
        """Run Mailman's processes, and yield the id of the one that has started the others."""
        output = self.state / "output.txt"
        # Ctrl-C does not reach processes in another session; `_stop` ends them.
        with (
            output.open("wb") as file,
            subprocess.Popen(  # noqa: S603 - the program that was installed
                [self.programs / "master", "--force", "-C", self.configuration],
                stdout=file,
                stderr=file,
                start_new_session=True,
            ) as master,
        ):
            try:
                self._await_start(master, output)
                yield master.pid
            finally:
                _stop(master)

    def _await_start(self, master: subprocess.Popen[bytes], output: Path) -> None:
        patience = time.monotonic() + _STARTING
        while master.poll() is None and time.monotonic() < patience:
            with suppress(OSError), socket.create_connection((_HOST, self.lmtp_port), timeout=1):
                return
            time.sleep(0.1)
        raise click.ClickException(f"Mailman has not started:\n{_end_of(output)}")


def _stop(master: subprocess.Popen[bytes]) -> None:
    """End Mailman's processes; kill those that have not ended by themselves."""
    try:
        master.terminate()
        with suppress(subprocess.TimeoutExpired):
            master.wait(PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(master.pid, signal.SIGKILL)


def _call(failure: str, *command: str | Path, text: str = "") -> None:
    """Run a program to its end; if it fails, raise an error with this sentence and the last lines of output."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)  # noqa: S603 - as above
    if done.returncode:
        raise click.ClickException(f"{failure}:\n{_last_lines(done.stdout + done.stderr)}")


def _end_of(file: Path) -> str:
    return _last_lines(file.read_text(errors="replace")) if file.exists() else ""


def _last_lines(text: str) -> str:
    return "\n".join(text.splitlines()[-5:])

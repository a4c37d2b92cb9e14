"""Two PostgreSQL servers: one that is written to, and one that follows it and can take its place."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.database.postgres import programs, run_as, unprivileged_user
from tests.support.folders import memory
from tests.support.machine.processes import kill_with_children
from tests.support.machine.waiting import await_that

_DATABASE = "nabu"


class Pair:
    """A primary and its replica; `user` is who they know."""

    def __init__(self, folder: Path, user: str | None) -> None:
        self._folder, self._user, self._programs = folder, user, programs()
        self.user = user or pwd.getpwuid(os.getuid()).pw_name
        self.first, self.second = folder / "a", folder / "b"

    @property
    def url(self) -> str:
        """The URL by which whichever of them can be written to is found."""
        hosts = f"host={self.first}&host={self.second}"
        return f"postgresql+psycopg://{self.user}@/{_DATABASE}?{hosts}&target_session_attrs=read-write"

    def start(self) -> None:
        """Start both; from then on, a commit lasts until the replica has it."""
        self._run(
            "initdb", "-D", self.first / "data", "-U", self.user, "-A", "trust", "-E", "UTF8", "--no-sync"
        )
        self._begin(self.first)
        self.say(self.first, f"CREATE DATABASE {_DATABASE}", "postgres")
        self._run(
            "pg_basebackup",
            "-h",
            self.first,
            "-U",
            self.user,
            "-D",
            self.second / "data",
            "-R",
            "-N",
            "-c",
            "fast",
        )
        self._begin(self.second)
        self.say(self.first, "ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.say(self.first, "SELECT pg_reload_conf()")
        await_that(lambda: self.say(self.first, "SELECT sync_state FROM pg_stat_replication") == ["sync"])

    def lose_the_first(self) -> None:
        """Kill the primary and all its processes at once, and have the replica take its place."""
        kill_with_children(_process_of(self.first))
        self._run("pg_ctl", "-D", self.second / "data", "-w", "promote")

    def start_the_first_again(self) -> None:
        """Start the killed primary as its machine does when it boots: it does not know that it was replaced."""
        for left in (*self.first.glob(".s.PGSQL.*"), self.first / "data/postmaster.pid"):
            left.unlink()
        (self.first / "data/postgresql.auto.conf").write_text("")  # it waits for no replica
        self._begin(self.first)

    @contextmanager
    def slow_second(self, seconds: float) -> Iterator[None]:
        """Let the second server answer only after these seconds."""
        process = _process_of(self.second)
        os.kill(process, signal.SIGSTOP)
        going_on = threading.Timer(seconds, os.kill, (process, signal.SIGCONT))
        going_on.start()
        try:
            yield
        finally:
            going_on.join()

    def stop(self) -> None:
        """Stop what runs."""
        for place in (self.second, self.first):
            if (place / "data/postmaster.pid").exists():
                try:
                    self._run("pg_ctl", "-D", place / "data", "-w", "-m", "immediate", "stop")
                except RuntimeError:
                    continue  # it was killed

    def _begin(self, place: Path) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={place} -c fsync=off"
        self._run("pg_ctl", "-D", place / "data", "-w", "-l", place / "log", "-o", options, "start")

    def say(self, place: Path, statement: str, database: str = _DATABASE) -> list[object]:
        """Run a statement on one of them, and return the first column of its result."""
        with psycopg.connect(f"host={place} user={self.user} dbname={database}", autocommit=True) as connection:
            found = connection.execute(statement.encode())
            return [row[0] for row in found] if found.description else []

    def _run(self, program: str, *arguments: object) -> None:
        run_as(self._user, self._programs / program, *arguments)


def _process_of(place: Path) -> int:
    return int((place / "data/postmaster.pid").read_text().splitlines()[0])


@contextmanager
def running_pair() -> Iterator[Pair]:
    """A primary and a replica that follows it; both are stopped at the end."""
    user = unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="nabu-two-", dir=memory()))
    for each in (folder, folder / "a", folder / "b"):
        each.mkdir(exist_ok=True)
        if user is not None:
            shutil.chown(each, user)
    pair = Pair(folder, user)
    try:
        pair.start()
        yield pair
    finally:
        pair.stop()
        shutil.rmtree(folder)

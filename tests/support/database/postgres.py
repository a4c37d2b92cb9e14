"""A PostgreSQL server for the tests, in a temporary folder, reached by a socket in it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg

from tests.support.folders import memory
from tests.support.missing_programs import fail_or_skip

MISSING = (
    "PostgreSQL is not installed: these tests start a separate server from its programs. "
    "On Debian or Ubuntu: make test-system (or sudo apt-get install postgresql)."
)

_ALONE = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid();
"""
"""Ends other connections, and waits up to 5 seconds for each: what it has begun must not come after the next
statement."""
_FROM_ONE = """
SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false)
FROM pg_sequences WHERE last_value IS NOT NULL;
"""


class Server:
    """A running server; `folder` holds its socket."""

    def __init__(self, folder: Path, user: str, control: Callable[..., None]) -> None:
        self.folder = folder
        self.user = user
        self._control = control
        self._empty: defaultdict[str, list[str]] = defaultdict(list)

    def restart(self, mode: str = "fast") -> None:
        """Stop it despite open connections, and start it again; "immediate" leaves everything as it is."""
        self._control("restart", "-m", mode)

    def ensure(self) -> None:
        """Start it if it has stopped."""
        if not (self.folder / "data" / "postmaster.pid").exists():
            self._control("start")

    def url(self, database: str) -> str:
        """The URL of a database, as in NABU_DATABASE_URL."""
        return f"postgresql+psycopg://{self.user}@/{database}?host={self.folder}"

    def make_database(self, template: str = "template1") -> str:
        """The name of a new database."""
        name = f"nabu_{uuid4().hex}"
        self._run(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    @contextmanager
    def without_rows(self, template: str, tables: Iterable[str]) -> Iterator[str]:
        """The name of a database like `template`, which has no rows in these tables.

        It is emptied for the next test despite open connections. Deleting a few rows takes half the time of
        truncating all tables, which makes new files for them and their indexes, or of making another database.
        """
        spare = self._empty[template]
        name = spare.pop() if spare else self.make_database(template)
        yield name
        deletions = "".join(f"DELETE FROM {table};" for table in tables)  # noqa: S608 - names of our own
        # No foreign key forces an order.
        self._run(f"{_ALONE} SET session_replication_role = replica; {deletions} {_FROM_ONE}", name)
        spare.append(name)

    def drop_database(self, name: str) -> None:
        """Drop a database, anyone who is still connected."""
        self._run(f'DROP DATABASE "{name}" WITH (FORCE)')

    def _run(self, statement: str, database: str = "postgres") -> None:
        place = f"host={self.folder} user={self.user} dbname={database}"
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(statement.encode())


@contextmanager
def running_server(place: Path | None = None) -> Iterator[Server]:
    """A server for the tests, in a folder of this place; it is stopped and the folder removed at the end."""
    found = programs()
    # The socket's path must be short, so the directory is not pytest's.
    folder = Path(tempfile.mkdtemp(prefix="nabu-pg-", dir=place or memory()))
    user = unprivileged_user()
    if user is not None:
        shutil.chown(folder, user)
    name = user or pwd.getpwuid(os.getuid()).pw_name
    data = folder / "data"
    run_as(user, found / "initdb", "-D", data, "-U", name, "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c max_connections=200"

    def control(what: str, *how: str) -> None:
        run_as(user, found / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, what, *how)

    control("start")
    try:
        yield Server(folder, name, control)
    finally:
        run_as(user, found / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


def programs() -> Path:
    """The newest installed version's programs; Debian does not put them on PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    on_path = shutil.which("initdb")
    if found:
        return found[-1].parent
    if on_path is not None:
        return Path(on_path).parent
    fail_or_skip(MISSING)


def unprivileged_user() -> str | None:
    """PostgreSQL does not run as root; its package brings a user for it."""
    return "postgres" if os.getuid() == 0 else None


def run_as(user: str | None, program: Path, *arguments: object) -> None:
    command = [str(program), *map(str, arguments)]
    done = subprocess.run(command, user=user, capture_output=True, text=True, cwd="/", check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{program.name} failed: {done.stdout}{done.stderr}")

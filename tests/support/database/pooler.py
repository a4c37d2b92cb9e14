"""A pgbouncer in front of the tests' PostgreSQL server: each transaction may get another session."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.database.postgres import Server
from tests.support.machine.waiting import await_that
from tests.support.missing_programs import fail_or_skip

_PROGRAM = "/usr/sbin/pgbouncer"
_MISSING = (
    "pgbouncer is not installed. On Debian or Ubuntu: make test-system (or sudo apt-get install pgbouncer)."
)
_PORT = 6432  # of the name of its socket
_SETTINGS = """\
[databases]
* = host={server}

[pgbouncer]
pool_mode = transaction
unix_socket_dir = {folder}
listen_port = {port}
auth_type = any
auth_file =
default_pool_size = 4
server_reset_query_always = 1
logfile = {folder}/log
pidfile = {folder}/pid
"""


@contextmanager
def pooled(server: Server, database: str) -> Iterator[str]:
    """The URL of a database by way of a pgbouncer that runs meanwhile."""
    if not Path(_PROGRAM).exists():
        fail_or_skip(_MISSING)
    folder = Path(tempfile.mkdtemp(prefix="nabu-pool-"))
    (folder / "ini").write_text(
        _SETTINGS.format(server=f"{server.folder} user={server.user}", folder=folder, port=_PORT)
    )
    shutil.chown(folder, server.user)
    command = [_PROGRAM, *(["-u", server.user] if os.getuid() == 0 else []), str(folder / "ini")]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        await_that(lambda: (folder / f".s.PGSQL.{_PORT}").exists())
        yield f"postgresql+psycopg://{server.user}@/{database}?host={folder}&port={_PORT}"
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder)

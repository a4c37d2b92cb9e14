"""A PostgreSQL server that archives its journal as the documents say, to be destroyed and restored."""

from __future__ import annotations

import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.support.database.postgres import programs, run_as, unprivileged_user
from tests.support.folders import memory
from tests.support.machine.documented_commands import Place
from tests.support.machine.processes import kill_with_children
from tests.support.machine.waiting import await_that

_PLACES = {
    "/var/lib/postgresql/15/main": "data",
    "/var/lib/postgresql/15/lost": "lost",
    "/var/backups/nabu": "backups",
    "/etc/postgresql/15/main": "etc",
}
_SERVICES = """
systemctl() { case "$*" in *postgresql) control "$1" || [ "$1" = stop ];; esac; }
control() { pg_ctl -D "$PGDATA" -w -l "$PGHOST/log" -o "-c config_file=$PGHOST/etc/postgresql.conf" "$1" >&2; }
"""


class Archived:
    """A server whose journal is archived; `url` is that of its database."""

    def __init__(self, folder: Path, user: str) -> None:
        self._folder, self._user, self._programs = folder, user, programs()
        self._place = Place(folder, _PLACES, _SERVICES, unprivileged_user())
        self._data = folder / "data"
        self.url = f"postgresql+psycopg://{user}@/nabu?host={folder}"

    def set_up(self) -> None:
        """Start it, archiving nothing yet, with an empty database."""
        how = ("-D", self._data, "-U", self._user, "-A", "trust", "-E", "UTF8")
        run_as(unprivileged_user(), self._programs / "initdb", *how)
        given = {
            "data_directory": self._data,
            "hba_file": self._data / "pg_hba.conf",
            "ident_file": self._data / "pg_ident.conf",
            "unix_socket_directories": self._folder,
            "listen_addresses": "",
            "include_dir": "conf.d",
        }
        settings = self._folder / "etc/postgresql.conf"
        (settings.parent / "conf.d").mkdir(parents=True)
        settings.write_text("".join(f"{name} = '{value}'\n" for name, value in given.items()))
        self._place.lay_out("postgresql/nabu.conf")
        for each in (settings.parent, settings.parent / "conf.d"):
            shutil.chown(each, self._user)
        self.do("systemctl start postgresql")
        self.say("CREATE DATABASE nabu", "postgres")

    def do(self, block: str) -> None:
        """Give a block of commands, as it stands in the documents."""
        path = f"{self._programs}:{os.environ['PATH']}"
        self._place.do(block, PATH=path, PGHOST=str(self._folder), PGDATA=str(self._data))

    def archive(self) -> None:
        """Wait until everything so far is in the archive."""
        [piece] = self.say("SELECT pg_walfile_name(pg_switch_wal())")
        journal = self._folder / "backups/journal"
        await_that(lambda: (journal / str(piece)).exists())

    def destroy(self, but: str = "") -> None:
        """Kill it and all its processes at once, and remove its data, `but` for this part, and its socket."""
        postmaster = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        kill_with_children(postmaster)
        for each in self._data.iterdir():
            if each.name == but:
                continue
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        for each in self._folder.glob(".s.PGSQL.*"):
            each.unlink()

    def await_recovery(self) -> None:
        """Wait until it can be written to."""
        await_that(lambda: self.say("SELECT pg_is_in_recovery()") == [False])

    def say(self, statement: str, database: str = "nabu") -> list[object]:
        """Run a statement, and return the first column of its result."""
        place = f"host={self._folder} user={self._user} dbname={database}"
        with psycopg.connect(place, autocommit=True) as connection:
            found = connection.execute(statement.encode())
            return [row[0] for row in found] if found.description else []


@contextmanager
def archived_server() -> Iterator[Archived]:
    """A server that archives nothing yet; it is stopped and removed at the end."""
    user = unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="nabu-arc-", dir=memory()))
    if user is not None:
        shutil.chown(folder, user)
    server = Archived(folder, user or pwd.getpwuid(os.getuid()).pw_name)
    try:
        server.set_up()
        yield server
    finally:
        server.do("systemctl stop postgresql")
        shutil.rmtree(folder)

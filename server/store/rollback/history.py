"""Protection against old copies of the database: one that is older than the last one used here is refused.

A database goes back without anyone's intention if an old primary starts again after its replica was promoted,
or if an older file or disk image takes its place. Moves stored there are lost, or contradict those elsewhere.
So each database counts its age (table `databaseage`), PostgreSQL counts its promotions (the timeline), and a
guard compares both with the highest that this machine has seen: at each new connection and, where a connection
may lead to another database unnoticed (SQLite, or a pooler such as pgbouncer), at each write transaction.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DisconnectionError, OperationalError
from sqlmodel import Session, col, func, select

from server.store.db import inserting
from server.store.models import DatabaseAge

logger = logging.getLogger(__name__)

_GUARD = "nabu_guard"
"""The execution option of an engine that names its guard."""
_POINT = "nabu_point"
_FILE = "nabu_file"
_LOOK = 10.0
"""The least seconds between two checks of all hosts of the URL."""
_CONNECT, _FIRST_CONNECT = 2, 10
"""Seconds to wait for each of them, later and as long as nothing is known of any database.

A process without a memory would use an older server if the newest one, under load, answered only later.
"""
_AGE = "SELECT coalesce(max(generation), 0), coalesce(max(beats), 0) FROM databaseage"
# After a promotion, `pg_control_checkpoint()` has the old timeline until the next checkpoint; the name of the
# current WAL file has the new one. Any role may call these functions.
_HERE = """
SELECT system_identifier::text, CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_lsn()) END
FROM pg_control_system()
"""
_NO_TABLE = "42P01"


@dataclass(frozen=True, order=True)
class Point:
    """A point in the history of a database: its age, and what identifies it. Later points are greater."""

    generation: int = 0
    """Raised if an administrator decides that an older database is the true one (`raise_generation`)."""
    timeline: int = 0
    """PostgreSQL's number of promotions and recoveries."""
    beats: int = 0
    """The number of heartbeats, one a minute and process."""
    server: str = field(default="", compare=False)
    """PostgreSQL's identifier of the server and its replicas."""

    @property
    def branch(self) -> tuple[int, int]:
        """The part that changes only if another server is used, or another database."""
        return self.generation, self.timeline

    def is_before(self, other: Point) -> bool:
        """Return whether a database here has lost data that one at `other` has, or is a different database."""
        moved = bool(self.server and other.server) and self.server != other.server
        return self < other or (moved and self.generation == other.generation)


_WHY = {
    True: "or it was moved without its write-ahead log (the file with -wal at the end of its name)",
    False: "or another server has been promoted",
}
"""The other reason for an older database, by whether it is a SQLite file."""


class OlderDatabase(OperationalError):
    """Raised instead of writing to a database that is older than the one this machine has used before."""

    def __init__(self, where: str, *, is_file: bool) -> None:
        sentence = (
            f"{where} is older than the database that this machine has used before: it was restored without "
            f"nabu restore, {_WHY[is_file]}. Nabu does not use it. Start the newer one, or, to continue with "
            "this one: nabu admin skip-numbers"
        )
        super().__init__(None, None, Exception(sentence))
        self.sentence = sentence


class Guard:
    """Remembers the newest state of a database that this machine has seen, and refuses older ones.

    `file` is the memory that all processes of this machine share; None for no memory beyond this process. With
    `forgets`, only the servers that answer now are compared, for an administrator who wants an older one.
    """

    def __init__(self, engine: Engine, file: Path | None, *, forgets: bool = False) -> None:
        self._engine, self._file, self._forgets = engine, file, forgets
        self._database = str(engine.url.database or "")
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._lock, self._looked = threading.Lock(), -_LOOK
        self._read_at = 0
        self._used = ""
        """The host of the last connection: another one may be a lost machine, for which each attempt waits."""
        self.newest = Point()
        self.trouble = ""
        """A sentence if several hosts of the URL accept writes; "" otherwise."""

    def listen(self) -> None:
        """Check all connections of the engine from now on."""
        event.listen(self._engine, "do_connect", self._connect)
        event.listen(self._engine, "connect", self._note)
        event.listen(self._engine, "checkout", self._check_out)
        event.listen(self._engine, "begin", self._begin)

    def look_around(self) -> None:
        """Look which hosts of the URL accept writes, at most every ten seconds, and remember the newest."""
        with self._lock:
            hosts = list(_single_hosts(self._engine.dialect.create_connect_args(self._engine.url)[1]))
            if len(hosts) < 2 or time.monotonic() - self._looked < _LOOK:
                return
            self._looked = time.monotonic()
            found = {_name(each): point for each in hosts if (point := self._ask(each)) is not None}
        for point in found.values():
            self._remember(point)
        names = sorted(found, key=lambda host: found[host])
        trouble = "" if len(names) < 2 else _SPLIT.format(hosts=", ".join(names), newest=names[-1])
        if trouble and trouble != self.trouble:
            logger.error("%s", trouble)
        self.trouble = trouble

    def next_generation(self, now: datetime) -> int:
        """Return a generation above all others. It grows with time, as a lost database may have had any."""
        known = self.newest if self._file is None else max(self.newest, _read(self._file))
        return max(known.generation + 1, int(now.timestamp()))

    def _ask(self, host: dict[str, Any]) -> Point | None:
        """Return the point of a host of the URL; None if it does not answer or does not accept writes."""
        patience = _CONNECT if self.newest > Point() else _FIRST_CONNECT
        given = host | {"connect_timeout": patience, "target_session_attrs": "any"}
        try:
            with closing(self._engine.dialect.connect(**given)) as connection:
                return _point_of(connection)
        except self._engine.dialect.loaded_dbapi.Error:
            return None

    def _connect(self, dialect: Any, _record: object, arguments: Any, given: dict[str, Any]) -> Any:
        """Connect to a host with a database as new as the newest known, preferably the one used last."""
        self._recall()
        self.look_around()
        hosts, failed = sorted(_single_hosts(given), key=lambda host: _name(host) != self._used), None
        for number, host in enumerate(hosts):
            try:
                connection = dialect.connect(*arguments, **host)
            except dialect.loaded_dbapi.Error as error:
                failed = failed or error
                if number + 1 < len(hosts):
                    continue
                raise failed from None
            try:
                self.admit(connection, _name(host))
            except BaseException as error:
                connection.close()
                if not isinstance(error, OlderDatabase):
                    raise
                failed = error
            else:
                if not self._is_sqlite:
                    connection.rollback()
                self._used = _name(host)
                return connection
        raise failed or AssertionError("a URL has at least one host")

    def admit(self, connection: Any, host: str = "") -> None:
        """Raise OlderDatabase unless the database of this driver connection may be used."""
        newest = self.newest  # read before the database: other threads raise it meanwhile
        point = _point_of(connection)
        if point is None:
            return
        if point.is_before(newest):
            where = f"The database {self._database}{host and f' at {host}'}"
            refused = OlderDatabase(where, is_file=self._is_sqlite)
            logger.error("%s", refused.sentence)
            raise refused
        self._remember(point)

    def _note(self, connection: Any, record: Any) -> None:
        record.info[_POINT] = self.newest.branch
        record.info[_FILE] = self._number_of_file()

    def _check_out(self, _connection: Any, record: Any, _proxy: object) -> None:
        """Replace a connection that leads to an older server, or to a file that was replaced."""
        self._recall()
        if record.info.get(_POINT, self.newest.branch) < self.newest.branch:
            raise DisconnectionError("another server has been promoted")
        if record.info.get(_FILE) != self._number_of_file():
            raise DisconnectionError("the database file was replaced")

    def _begin(self, connection: Connection) -> None:
        if not connection.get_execution_options().get("writing", False):
            return
        own = connection.connection.driver_connection
        # Without a threshold there is a pooler, which may lead each transaction to another server.
        if self._is_sqlite or getattr(own, "prepare_threshold", 0) is None:
            try:
                self.admit(own)
            except OlderDatabase as error:
                connection.invalidate(error)
                raise

    def _number_of_file(self) -> int:
        if self._is_sqlite and self._database:
            with suppress(OSError):
                return os.stat(self._database).st_ino
        return 0

    def _recall(self) -> None:
        """Learn what other processes of this machine have seen."""
        if self._file is None or self._forgets:
            return
        try:
            changed = self._file.stat().st_mtime_ns
        except OSError:
            return
        if changed != self._read_at:
            self._read_at = changed
            self.newest = max(self.newest, _read(self._file))

    def _remember(self, point: Point) -> None:
        with self._lock:
            if point <= self.newest:
                return
            self.newest = point
            if self._file is not None and not self._forgets:
                try:
                    _write(self._file, point)
                except OSError as error:
                    logger.warning("cannot write %s: %s", self._file, error.strerror)
                    self._file = None


_SPLIT = (
    "several database servers accept writes: {hosts}. Nabu uses {newest}, the newest. Stop the others: "
    "anything written to them is lost"
)


def guard(engine: Engine, file: Path | None, *, forgets: bool = False) -> None:
    """Make an engine refuse a database that is older than the one this machine has used before."""
    watch = Guard(engine, file, forgets=forgets)
    watch.listen()
    engine.update_execution_options(**{_GUARD: watch})


def guard_of(engine: Engine | Connection) -> Guard | None:
    """Return the guard of an engine, None for an engine without one."""
    found: Guard | None = engine.get_execution_options().get(_GUARD)
    return found


def split(connection: Engine | Connection) -> str:
    """Return a sentence with the problem if several hosts of the URL accept writes; "" otherwise."""
    watch = guard_of(connection)
    if watch is None:
        return ""
    watch.look_around()
    return watch.trouble


def advance(session: Session) -> None:
    """Increase the age of the database by one, as each heartbeat does."""
    note(session, {"beats": DatabaseAge.beats + 1}, beats=1)


def raise_generation(session: Session, now: datetime) -> None:
    """Make this database the valid one from now on, even if it has lost data."""
    watch = guard_of(session.connection())
    known = session.exec(select(func.max(col(DatabaseAge.generation)))).one() or 0
    least = int(now.timestamp()) if watch is None else watch.next_generation(now)
    generation = max(known + 1, least)
    note(session, {"generation": generation}, generation=generation)


def note(session: Session, changed: dict[str, Any], **first: Any) -> None:
    """Change the only row of `DatabaseAge`, or insert it with the values `first`."""
    row = inserting(session, DatabaseAge).values(**{"id": 1, "generation": 0, "beats": 0} | first)
    session.execute(row.on_conflict_do_update(index_elements=["id"], set_=changed))


def _point_of(connection: Any) -> Point | None:
    """Return the point of the database at a connection of the driver; None for a replica, which only reads."""
    timeline, server = 0, ""
    if not isinstance(connection, sqlite3.Connection):
        server, journal = connection.execute(_HERE).fetchone()
        if journal is None:
            return None
        timeline = int(journal[:8], 16)
    try:
        generation, beats = connection.execute(_AGE).fetchone()
    except Exception as error:
        if getattr(error, "sqlstate", None) != _NO_TABLE and "no such table" not in str(error):
            raise
        connection.rollback()
        generation = beats = 0
    return Point(generation, timeline, beats, server)


def _single_hosts(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the arguments of the driver for each host of a URL; without hosts, only the given ones."""
    hosts = str(given.get("host", "")).split(",")
    if len(hosts) == 1:
        yield dict(given)
        return
    ports = str(given.get("port", "")).split(",")
    others = {name: value for name, value in given.items() if name != "port"}
    for number, host in enumerate(hosts):
        port = ports[number] if len(ports) > 1 else ports[0]
        yield others | {"host": host} | ({"port": port} if port else {})


def _name(given: Mapping[str, Any]) -> str:
    """Return the host and the port in the arguments of the driver; "" without a host."""
    host, port = given.get("host", ""), given.get("port", "")
    return f"{host}:{port}" if host and port else str(host)


def _read(file: Path) -> Point:
    """Return the point in a file; the first of all if there is none, or if it is damaged."""
    try:
        return Point(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return Point()


def _write(file: Path, point: Point) -> None:
    """Store a point, unless another process has stored a later one; a reader never sees half of it."""
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if point <= _read(file):
            return
        new = file.with_name(f".{file.name}")
        with new.open("w", encoding="utf-8") as written:
            json.dump(asdict(point), written)
            written.flush()
            os.fsync(written.fileno())
        new.replace(file)
    finally:
        os.close(folder)

"""Connect to SQLite or PostgreSQL."""

import logging
import os
import sqlite3
import stat
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, ExceptionContext, event, make_url
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlmodel import create_engine

from server.monitoring.metrics import STATEMENTS, measure
from server.store.statements.plans import shorten_savepoints
from server.store.wakeups import is_pooled

READS_ONLY = "25006"
"""The state of PostgreSQL's error for a server that only reads."""
_NAP = 0.001
_BROKEN = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_NOMEM,
}
_PATIENCE: dict[str, Any] = {
    "connect_timeout": 10,
    "tcp_user_timeout": 20_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
"""Timeouts in seconds (`tcp_user_timeout` in milliseconds) for a PostgreSQL server that no longer answers.

By default, an open connection would wait for hours, and a new one for minutes.
"""
_CACHE = 8_000
"""Page cache of each SQLite connection in kilobytes; the default is 2,000.

The rows of a player with many games are scattered over the file and have to fit in.
"""
_VERBS = {"select", "insert", "update", "delete"}

logger = logging.getLogger(__name__)


def connect(url: str, patience: float = 30) -> Engine:
    """Return an engine for the database at `url`; create a missing SQLite file and its folder.

    `patience` is the maximum wait for other writers to SQLite, in seconds. If the URL of a PostgreSQL database
    names several hosts, the first one that accepts writes is used. Parameters in this URL, for example
    timeouts, take precedence over Nabu's.
    """
    if not url.startswith("sqlite"):
        engine = create_engine(
            url, pool_pre_ping=True, hide_parameters=True, connect_args=_defaults(make_url(url))
        )
        shorten_savepoints(engine)
        _measure(engine)
        event.listen(engine, "connect", _prepare_postgresql)
        event.listen(engine, "handle_error", _throw_away_broken)
        return engine
    _make_private(Path(url.removeprefix("sqlite:///")))
    engine = create_engine(url, hide_parameters=True)
    shorten_savepoints(engine)
    _measure(engine)
    event.listen(engine, "connect", partial(_prepare_sqlite, patience))
    event.listen(engine, "begin", partial(_begin_sqlite, patience))
    event.listen(engine, "handle_error", _throw_away_broken)
    return engine


def _defaults(url: URL) -> dict[str, Any]:
    """Return parameters of PostgreSQL that differ from its defaults, without those in the URL."""
    hosts = str(url.get_dialect()().create_connect_args(url)[1].get("host", ""))
    defaults = _PATIENCE | ({"target_session_attrs": "read-write"} if "," in hosts else {})
    return {name: value for name, value in defaults.items() if name not in url.query}


def _measure(engine: Engine) -> None:
    """Measure the time of each statement."""

    def begin(_connection: Any, _cursor: Any, _statement: str, _given: Any, context: Any, _many: bool) -> None:
        context.began = time.perf_counter()

    def end(_connection: Any, _cursor: Any, statement: str, _given: Any, context: Any, _many: bool) -> None:
        verb = statement[:6].lower()
        measure(STATEMENTS, time.perf_counter() - context.began, verb if verb in _VERBS else "other")

    event.listen(engine, "before_cursor_execute", begin)
    event.listen(engine, "after_cursor_execute", end)


def _make_private(file: Path) -> None:
    """Create a database file and its folder without access for other users; restrict existing permissions.

    SQLite gives its other files the permissions of this one. A group-writable file is shared on purpose.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not file.exists():
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    for each in (file, Path(f"{file}-wal"), Path(f"{file}-shm")):
        with suppress(FileNotFoundError):
            found = each.stat().st_mode
            mode = stat.S_IMODE(found)
            wanted = mode & (0o660 if mode & 0o020 else 0o600)
            if stat.S_ISREG(found) and mode != wanted:
                _narrow(each, wanted)


def _narrow(file: Path, mode: int) -> None:
    try:
        file.chmod(mode)
    except PermissionError:
        logger.warning("other users can read %s, and Nabu has no permission to change that", file)


def _throw_away_broken(context: ExceptionContext) -> None:
    """Reopen connections that would fail from now on, even if the database recovers.

    A connection opened while the file was read-only stays read-only; so does one to a PostgreSQL server that
    has become a replica. After a full disk, a connection may have lost its transaction, and SQLite would store
    each further statement separately.
    """
    if _is_broken(context.original_exception):
        context.is_disconnect = True


def _is_broken(error: BaseException | None) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the other bits are the subtype of the error
    return code in _BROKEN or getattr(error, "sqlstate", None) == READS_ONLY


def _prepare_postgresql(connection: Any, _record: object) -> None:
    if is_pooled(connection):
        connection.prepare_threshold = None  # statements are prepared per session


def _prepare_sqlite(patience: float, connection: Any, _record: object) -> None:
    # `_begin_sqlite` begins transactions, not the driver.
    connection.isolation_level = None
    # A checksum detects text that the disk has damaged; the rest of the row must remain readable.
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"busy_timeout = {round(1000 * patience)}",
        f"cache_size = -{_CACHE}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(patience: float, connection: Connection) -> None:
    # A transaction that reads first and writes later would fail if another wrote in between, so writers take
    # the lock at their start.
    if connection.get_execution_options().get("writing", False):
        try:
            _take_lock(connection.connection.cursor(), patience)
        except OperationalError as error:
            if _is_broken(error.orig):
                connection.invalidate(error)
            raise
    else:
        connection.exec_driver_sql("BEGIN")


def _take_lock(cursor: Any, patience: float) -> None:
    """Begin a write transaction as soon as no other one is active.

    SQLite itself waits up to 0.1 seconds between two attempts; with many writers, that is most of the time of a
    turn. Raises OperationalError after `patience` seconds.
    """
    cursor.execute("PRAGMA busy_timeout = 0")
    end = time.monotonic() + patience
    while True:
        try:
            cursor.execute("BEGIN IMMEDIATE")
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise OperationalError("BEGIN IMMEDIATE", None, error, hide_parameters=True) from error
        time.sleep(_NAP)
    cursor.execute(f"PRAGMA busy_timeout = {round(1000 * patience)}")


def merge_journal(engine: Engine) -> None:
    """Move the whole write-ahead log of SQLite into the database file, so that copying this file is enough."""
    if engine.dialect.name != "sqlite":
        return
    try:
        with closing(engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except (DBAPIError, sqlite3.Error) as error:
        logger.warning("cannot merge the write-ahead log: %s", type(error).__name__)

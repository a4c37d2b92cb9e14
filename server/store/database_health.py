"""A probe that writes to the database, causes of errors, faults in indexes, and free space on the disk.

The causes come from the codes of SQLite and PostgreSQL. Their messages may quote data, so Nabu does not log
them.
"""

import logging
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from server.store.db import writing
from server.store.engines import connect
from server.store.models import DatabaseAge
from server.store.rollback import history

logger = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds for which a probe waits for other writers."""
_EVERY = 10.0
"""The least seconds between two probes."""
LEAST_FREE = 500_000_000
"""Bytes: with less free space, large emails are not stored and the administrator is alerted."""


@dataclass(frozen=True)
class Cause:
    """The cause of a database error: its code, such as "SQLITE_FULL", a clause that names it, and its fix."""

    code: str
    clause: str
    fix: str


_FREE_SPACE = "Free some space on its disk."
_RESTORE = "Stop Nabu, copy the file, and restore the last backup or, without one, run nabu salvage."
_SQLITE = {
    sqlite3.SQLITE_BUSY: Cause(
        "SQLITE_BUSY",
        "another program has locked the file of the database",
        "Find it with fuser and the name of the file, and end it.",
    ),
    sqlite3.SQLITE_READONLY: Cause(
        "SQLITE_READONLY",
        "the file of the database cannot be written",
        "See whether its disk is mounted read-only, and whether the file and its folder belong to Nabu's user.",
    ),
    sqlite3.SQLITE_FULL: Cause("SQLITE_FULL", "the disk of the database is full", _FREE_SPACE),
    sqlite3.SQLITE_IOERR: Cause(
        "SQLITE_IOERR", "the disk of the database reports an error", "See the kernel's log: journalctl -k"
    ),
    sqlite3.SQLITE_CANTOPEN: Cause(
        "SQLITE_CANTOPEN",
        "the file of the database cannot be opened",
        "See whether the disk is mounted, and whether the file and its folder belong to Nabu's user.",
    ),
    sqlite3.SQLITE_CORRUPT: Cause("SQLITE_CORRUPT", "the file of the database is damaged or cut off", _RESTORE),
    sqlite3.SQLITE_NOTADB: Cause("SQLITE_NOTADB", "the file of the database is damaged", _RESTORE),
}
_POSTGRESQL = {
    "08": Cause("08", "the connection to PostgreSQL was lost", "See its log."),
    "25006": Cause("25006", "PostgreSQL only reads: it is a replica", "Promote it, or name its primary."),
    "28": Cause("28", "PostgreSQL refuses the user or the password", "Correct NABU_DATABASE_URL."),
    "3D000": Cause("3D000", "PostgreSQL has no database with this name", "Correct NABU_DATABASE_URL."),
    "40": Cause("40", "two transactions were in each other's way", "Nabu repeats the action; nothing to do."),
    "42501": Cause("42501", "PostgreSQL's user may not do this", "Make it the owner of the tables."),
    "42P01": Cause("42P01", "a table is missing", "Run: nabu db upgrade"),
    "53100": Cause("53100", "the disk of PostgreSQL is full", _FREE_SPACE),
    "53300": Cause("53300", "PostgreSQL has too many connections", "Raise max_connections, or use pgbouncer."),
    "55P03": Cause("55P03", "another transaction holds a lock", "See pg_stat_activity."),
    "57P": Cause("57P", "PostgreSQL is stopping or starting", "Wait, or see its log."),
}


_INDEXES = text("""
SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
JOIN pg_am ON pg_am.oid = relam
WHERE amname = 'btree' AND indisvalid AND relnamespace = current_schema()::regnamespace
AND EXISTS (SELECT FROM pg_extension WHERE extname = 'amcheck') ORDER BY 1
""")
_CHECK_INDEX = text("SELECT bt_index_check(CAST(:name AS regclass), heapallindexed => true)")
_NOT_ALLOWED = "42501"
_DAMAGED = ("XX", "58")
"""The classes of errors of a damaged table or index: internal errors and those of the file system."""


def cause_of(error: BaseException) -> Cause | None:
    """Return the cause of a database error; None if it is unknown."""
    original = getattr(error, "orig", None) or error
    code = getattr(original, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE.get(code & 0xFF)  # the other bits are the subtype of the error
    state = getattr(original, "sqlstate", None) or ""
    return next((cause for start, cause in _POSTGRESQL.items() if state.startswith(start)), None)


def index_faults(engine: Engine) -> Iterator[str]:
    """Yield the faults of tables and indexes that the database finds itself, such as rows missing in an index.

    PostgreSQL needs its extension amcheck for this; without it, nothing is found. Other database errors are
    raised.
    """
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            try:
                for found in connection.execute(text("PRAGMA integrity_check")).scalars():
                    if found != "ok":
                        yield str(found)
            except DBAPIError as error:
                yield str(error.orig)
        return
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        for name in connection.execute(_INDEXES).scalars().all():
            try:
                connection.execute(_CHECK_INDEX, {"name": name})
            except DBAPIError as error:
                state = getattr(error.orig, "sqlstate", None) or ""
                if state == _NOT_ALLOWED:
                    logger.warning("indexes not checked: the database user may not execute bt_index_check")
                    return
                if not state.startswith(_DAMAGED):
                    raise
                yield f"index {name}: {str(error.orig).splitlines()[0]}"


def free_space(bind: Engine | Connection) -> int | None:
    """Return the free bytes on the disk of the SQLite file; None for PostgreSQL."""
    url = bind.engine.url
    if not url.drivername.startswith("sqlite") or not url.database:
        return None
    return shutil.disk_usage(Path(url.database).parent).free


class Probe:
    """Checks that the database can be written, at most every ten seconds, with a row that changes nothing."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._succeeded = -_EVERY

    def look(self) -> None:
        """Write the row. Raises DBAPIError if the database cannot be written."""
        with self._lock:
            if time.monotonic() - self._succeeded < _EVERY:
                return
            self._write()
            self._succeeded = time.monotonic()

    def _write(self) -> None:
        url = self._engine.url
        if self._engine.dialect.name == "sqlite" and not Path(str(url.database)).exists():
            return  # it would be created
        # Its own connection, which waits only briefly, and fails if the file can no longer be opened.
        own = connect(url.render_as_string(hide_password=False), PATIENCE)
        try:
            with writing(own) as session:
                history.note(session, {"beats": DatabaseAge.beats})
        finally:
            own.dispose()

"""The database: one engine for SQLite or PostgreSQL, and transactions that read or write."""

import logging
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    ExceptionContext,
    event,
    make_url,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlmodel import Session, SQLModel, create_engine, func, select

from server.monitoring.metrics import STATEMENTS, measure
from server.store.version_counters import raise_counters

LOCK: dict[str, Any] = {"key_share": True}
"""How games and players are locked: not against adding rows that refer to them, which PostgreSQL checks.
Otherwise two transactions could wait for each other.
"""

CHANNEL = "nabu"
"""In PostgreSQL, where those who wait for work hear of it."""
_WAKES = "wakes"

_Row = TypeVar("_Row", bound=SQLModel)
_Found = TypeVar("_Found")

_WAKE = text(f"NOTIFY {CHANNEL}")
_NAP = 0.001
_LOCKED = "locked rows"
_AFTERWARDS = "afterwards"
_BROKEN = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_NOMEM,
}
_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
}
_UNREADABLE = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_DATA}
_PATIENCE = {
    "connect_timeout": 10,
    "tcp_user_timeout": 20_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
"""Seconds (the second is in milliseconds) until a PostgreSQL that is cut off, and says nothing, is given up.

By itself a connection would wait for hours, and whoever asks for another one for minutes.
"""
_CACHE = 8_000
"""Kilobytes of a SQLite file that each connection keeps, once it has read them: by itself it would be 2,000.

What one player's many games need is scattered among those of all others, and has to fit in.
"""
_READS_ONLY = "25006"
_PASSING_STATES = (
    "08",  # no connection
    _READS_ONLY,
    "40",  # a deadlock, or another transaction that came first
    "53100",  # no room on the disk
    "53300",  # too many connections
    "55P03",  # another one locked a row for too long
    "57P",  # it is stopped, or starts
)

_VERBS = {"select", "insert", "update", "delete"}

logger = logging.getLogger(__name__)


def connect(url: str, patience: float = 30) -> Engine:
    """An engine for the database at `url`; a SQLite file and its folder are created if missing.

    `patience` is in seconds: how long to wait for others who write to SQLite. What the URL of a PostgreSQL says
    of how long to wait goes before what we say.
    """
    if not url.startswith("sqlite"):
        waits = {name: value for name, value in _PATIENCE.items() if name not in make_url(url).query}
        engine = create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=waits)
        _measure(engine)
        event.listen(engine, "connect", _prepare_postgresql)
        event.listen(engine, "handle_error", _throw_away_broken)
        return engine
    _make_private(Path(url.removeprefix("sqlite:///")))
    engine = create_engine(url, hide_parameters=True)
    _measure(engine)
    event.listen(engine, "connect", partial(_prepare_sqlite, patience))
    event.listen(engine, "begin", partial(_begin_sqlite, patience))
    event.listen(engine, "handle_error", _throw_away_broken)
    return engine


def _measure(engine: Engine) -> None:
    """Have the time that each statement takes be counted."""

    def begin(_connection: Any, _cursor: Any, _statement: str, _given: Any, context: Any, _many: bool) -> None:
        context.began = time.perf_counter()

    def end(_connection: Any, _cursor: Any, statement: str, _given: Any, context: Any, _many: bool) -> None:
        verb = statement[:6].lower()
        measure(STATEMENTS, time.perf_counter() - context.began, verb if verb in _VERBS else "other")

    event.listen(engine, "before_cursor_execute", begin)
    event.listen(engine, "after_cursor_execute", end)


def _make_private(file: Path) -> None:
    """Create a database file, and its folder, that nobody else can read; existing permissions are narrowed.

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
        logger.warning("others on this machine can read %s, and we are not allowed to change that", file)


def _throw_away_broken(context: ExceptionContext) -> None:
    """Reopen connections that can only fail from now on, whatever becomes of the database.

    One opened while the file could not be written stays that way; one to a PostgreSQL that has become a replica
    would be read-only for ever. One for which the disk was full may have lost its transaction already: what
    else is done in that, SQLite would store statement by statement.
    """
    if _is_broken(context.original_exception):
        context.is_disconnect = True


def _is_broken(error: BaseException | None) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says what sort of it
    return code in _BROKEN or getattr(error, "sqlstate", None) == _READS_ONLY


def is_pooled(connection: Any) -> bool:
    """Whether something like pgbouncer is in between: then each transaction has another session."""
    told = connection.execute("SELECT pg_backend_pid()").fetchone()[0]
    connection.rollback()
    return bool(told != connection.info.backend_pid)


def _prepare_postgresql(connection: Any, _record: object) -> None:
    if is_pooled(connection):
        connection.prepare_threshold = None  # a statement that one session has prepared, the next does not know


def _prepare_sqlite(patience: float, connection: Any, _record: object) -> None:
    # The driver must not begin transactions by itself: `_begin_sqlite` does.
    connection.isolation_level = None
    # What a disk has garbled must be found by its checksum, and must not keep its whole row from being read.
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
    # A transaction that reads first and writes later could not be finished when another wrote in between,
    # so writers take the lock at their start.
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
    """Begin to write as soon as nobody else does.

    SQLite itself waits longer and longer between two looks, up to 0.1 seconds; if others write all the time,
    that is most of what a turn takes. Raises OperationalError when they do so for too long.
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


def is_away(error: BaseException) -> bool:
    """Whether the database itself fails, rather than what is done with it."""
    return isinstance(error, OperationalError | InterfaceError | NoConnection)


def passes(error: BaseException) -> bool:
    """Whether something failed that is not at fault, and can be done again as it is.

    Another transaction stood in its way, as in a deadlock, the connection was lost, the disk is full. What the
    database cannot read is another matter: that stays so.
    """
    original = getattr(error, "orig", None)
    code = getattr(original, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _PASSING and code not in _UNREADABLE
    state = getattr(original, "sqlstate", None)
    return is_away(error) if state is None else state.startswith(_PASSING_STATES)


def said(error: DBAPIError) -> str:
    """What the database says is wrong, in a line."""
    return " ".join(str(error.orig).split())


class _Reading(Session):
    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.found: dict[str, tuple[object, Any]] = {}
        """By what it is, which one was looked up last, and what was found."""

    def flush(self, objects: Sequence[object] | None = None) -> None:
        """Refuse changes here: in SQLite, writing them would fail only at times, when another one writes."""
        if self.new or self.dirty or self.deleted:
            raise RuntimeError("a session that only reads was given something to write")


class _Writing(Session):
    """A session that raises version counters with what it writes."""


event.listen(_Writing, "before_flush", raise_counters)


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that sees one state of the database through all its statements, and changes nothing.

    Trying to change something is a fault. SQLite works like that by itself; PostgreSQL has to be told.
    """
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with _Reading(engine) as session:
        yield session


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A session that is one transaction: committed, durably, at the end of the block, or not at all."""
    with _Writing(engine.execution_options(writing=True), expire_on_commit=False) as session:
        yield session
        if session.info.get(_WAKES) and engine.dialect.name == "postgresql":
            session.execute(_WAKE)
        session.commit()
        for do in session.info.pop(_AFTERWARDS, ()):
            try:
                do()
            except Exception as error:  # whatever it is: all of it is stored, and is not to be done again
                logger.error("what was stored could not be told of: %s", type(error).__name__)


@contextmanager
def savepoint(session: Session) -> Iterator[None]:
    """What is done in the block is undone if that fails; then it is not told of `afterwards` either.

    The session forgets the rows that were first read in it, too: some may be of the block's own making.
    """
    before, known = len(session.info.get(_AFTERWARDS, ())), set(session.identity_map.keys())
    try:
        with session.begin_nested():
            yield
    except BaseException:
        del session.info.get(_AFTERWARDS, [])[before:]
        for key in set(session.identity_map.keys()) - known:
            session.expunge(session.identity_map[key])
        raise


def afterwards(session: Session, do: Callable[[], object]) -> None:
    """Have something done once this is committed: telling and counting what happened."""
    session.info.setdefault(_AFTERWARDS, []).append(do)


def wake(session: Session) -> None:
    """Have those who wait for work look for it when this is committed, if they hear it (see `waking`)."""
    session.info[_WAKES] = True


def once(session: Session, what: str, which: object, look_up: Callable[[], _Found]) -> _Found:
    """What `look_up` finds; a session that only reads, and so sees one state, looks the same up only once.

    It remembers the last `which` of each `what`. Whoever gets it must not change it.
    """
    if not isinstance(session, _Reading):
        return look_up()
    known = session.found.get(what)
    if known is None or known[0] != which:
        known = session.found[what] = (which, look_up())
    found: _Found = known[1]
    return found


def locked(session: Session, table: type[_Row], number: int | None) -> _Row | None:
    """A row, locked until the transaction ends, as it is now, whatever the session knew of it before.

    What was read before and depends on it has to be read again. None if there is no such row.
    """
    if is_locked(session, table, number):
        return session.get(table, number)
    session.flush()  # what was changed here before must not be lost when the row is read again
    found = session.get(table, number, with_for_update=LOCK, populate_existing=True)
    if found is not None and not session.in_nested_transaction():  # a savepoint may give its locks back
        session.info.setdefault(_LOCKED, set()).add((table, number))
    return found


def is_locked(session: Session, table: type[SQLModel], number: int | None) -> bool:
    """Whether `locked` has locked a row in this transaction, for as long as that lasts."""
    return (table, number) in session.info.get(_LOCKED, ())


def count_rows(session: Session, *conditions: Any) -> int:
    """The number of rows for which these conditions hold."""
    return session.exec(select(func.count()).where(*conditions)).one()


def inserting(session: Session, table: type[SQLModel]) -> postgresql.Insert | sqlite.Insert:
    """A statement that inserts rows, and can be told what to do if one exists already."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    return insert(table.__table__)  # type: ignore[attr-defined]

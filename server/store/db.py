"""Connect to SQLite or PostgreSQL, and run transactions that read or write."""

import logging
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    URL,
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
from server.store.statements.planned_session import PlannedSession
from server.store.statements.plans import shorten_savepoints
from server.store.version_counters import raise_counters
from server.store.wakeups import CHANNEL, is_pooled, wake_others

LOCK: dict[str, Any] = {"key_share": True}
"""The kind of lock for games and players. It permits adding rows that refer to them, which PostgreSQL checks;
otherwise two transactions could wait for each other.
"""

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
_READS_ONLY = "25006"
_PASSING_STATES = (
    "08",  # no connection
    _READS_ONLY,
    "40",  # a deadlock, or a conflict with another transaction
    "53100",  # disk full
    "53300",  # too many connections
    "55P03",  # another transaction locked a row for too long
    "57P",  # the server is stopping or starting
)

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
    return code in _BROKEN or getattr(error, "sqlstate", None) == _READS_ONLY


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


def is_away(error: BaseException) -> bool:
    """Return whether an error means that the database is out of reach, and not that a statement is wrong."""
    return isinstance(error, OperationalError | InterfaceError | NoConnection)


def passes(error: BaseException) -> bool:
    """Return whether an error is temporary, so that the same action may succeed later.

    That is so after a deadlock or another conflict, a lost connection or a full disk, but not if the database
    cannot read its own file.
    """
    original = getattr(error, "orig", None)
    code = getattr(original, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _PASSING and code not in _UNREADABLE
    state = getattr(original, "sqlstate", None)
    return is_away(error) if state is None else state.startswith(_PASSING_STATES)


def said(error: DBAPIError) -> str:
    """Return the message of the database in one line."""
    return " ".join(str(error.orig).split())


class _Reading(PlannedSession):
    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.found: dict[str, tuple[object, Any]] = {}
        """The last key and value of each kind of lookup, see `once`."""

    def flush(self, objects: Sequence[object] | None = None) -> None:
        """Refuse changes always: in SQLite they would fail only sometimes, while another transaction writes."""
        if self.new or self.dirty or self.deleted:
            raise RuntimeError("cannot write in a read-only session")


class _Writing(PlannedSession):
    """A session that increments version counters for its changes."""


event.listen(_Writing, "before_flush", raise_counters)


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """Provide a read-only session in which all statements see the same state of the database.

    SQLite does so by default; PostgreSQL needs an isolation level.
    """
    with _Reading(_for_reading(engine)) as session:
        yield session


# Making an engine with options takes longer than most statements.
@lru_cache(maxsize=8)
def _for_reading(engine: Engine) -> Engine:
    if engine.dialect.name == "postgresql":
        return engine.execution_options(isolation_level="REPEATABLE READ")
    return engine


@lru_cache(maxsize=8)
def _for_writing(engine: Engine) -> Engine:
    """Return the engine with the option by which `_begin_sqlite` recognizes a transaction that writes."""
    return engine.execution_options(writing=True)


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """Provide a session that is one transaction, committed durably at the end of the block."""
    with _Writing(_for_writing(engine), expire_on_commit=False) as session:
        yield session
        wakes = session.info.get(_WAKES, False)
        if wakes and engine.dialect.name == "postgresql":
            session.execute(_WAKE)
        session.commit()
        if wakes:
            wake_others(engine)
        for do in session.info.pop(_AFTERWARDS, ()):
            try:
                do()
            except Exception as error:  # the transaction is stored, so its caller must not see an error
                logger.error("notify failed: %s", type(error).__name__)


@contextmanager
def savepoint(session: Session) -> Iterator[None]:
    """Run the block in a savepoint: its changes and `afterwards` functions are dropped if it fails.

    The session also forgets the rows that were first loaded in the block: the block may have created some.
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
    """Call a function after this session has committed, for example to log or to count something."""
    session.info.setdefault(_AFTERWARDS, []).append(do)


def wake(session: Session) -> None:
    """After this session has committed, wake processes that wait for work (see `wakeups`)."""
    session.info[_WAKES] = True


def once(session: Session, what: str, which: object, look_up: Callable[[], _Found]) -> _Found:
    """Return the result of `look_up`, from a cache if the session is read-only, as its data cannot change.

    The cache keeps the last key `which` of each kind `what`. The caller must not change the result.
    """
    if not isinstance(session, _Reading):
        return look_up()
    known = session.found.get(what)
    if known is None or known[0] != which:
        known = session.found[what] = (which, look_up())
    found: _Found = known[1]
    return found


def locked(session: Session, table: type[_Row], number: int | None) -> _Row | None:
    """Lock a row until the transaction ends and return its current state; None if there is no such row.

    Reload other data that was read before and depends on the row.
    """
    if is_locked(session, table, number):
        return session.get(table, number)
    session.flush()  # reloading the row must not discard earlier changes
    found = session.get(table, number, with_for_update=LOCK, populate_existing=True)
    if found is not None and not session.in_nested_transaction():  # rolling back a savepoint releases its locks
        session.info.setdefault(_LOCKED, set()).add((table, number))
    return found


def is_locked(session: Session, table: type[SQLModel], number: int | None) -> bool:
    """Return whether `locked` has locked a row in this transaction."""
    return (table, number) in session.info.get(_LOCKED, ())


def count_rows(session: Session, *conditions: Any) -> int:
    """Return the number of rows that meet the conditions."""
    return session.exec(select(func.count()).where(*conditions)).one()


def inserting(session: Session, table: type[SQLModel]) -> postgresql.Insert | sqlite.Insert:
    """Return an insert statement that supports `on_conflict_do_nothing` and `on_conflict_do_update`."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    return insert(table.__table__)  # type: ignore[attr-defined]

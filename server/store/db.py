"""Transactions that read or write, and the errors of the database."""

import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Engine, event, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from sqlmodel import Session, SQLModel, func, select

from server.store.engines import READS_ONLY
from server.store.statements.planned_session import PlannedSession
from server.store.version_counters import raise_counters
from server.store.wakeups import CHANNEL, wake_others

LOCK: dict[str, Any] = {"key_share": True}
"""The kind of lock for games and players. It permits adding rows that refer to them, which PostgreSQL checks;
otherwise two transactions could wait for each other.
"""

_WAKES = "wakes"

_Row = TypeVar("_Row", bound=SQLModel)
_Found = TypeVar("_Found")

_WAKE = text(f"NOTIFY {CHANNEL}")
_LOCKED = "locked rows"
_AFTERWARDS = "afterwards"
_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
}
_UNREADABLE = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_DATA}
_PASSING_STATES = (
    "08",  # no connection
    READS_ONLY,
    "40",  # a deadlock, or a conflict with another transaction
    "53100",  # disk full
    "53300",  # too many connections
    "55P03",  # another transaction locked a row for too long
    "57P",  # the server is stopping or starting
)

logger = logging.getLogger(__name__)


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
    """Return the engine with the option by which `engines.connect` recognizes a transaction that writes."""
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

"""The database: one engine for SQLite or PostgreSQL, transactions that read or write, and the schema."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, SQLModel, create_engine

MIGRATIONS = Path(__file__).resolve().parent / "migrations"

_NAP = 0.001


class SchemaOutdated(Exception):
    """The database does not have the tables that this version works with."""


def connect(url: str, patience: float = 30) -> Engine:
    """An engine for the database at `url`; a SQLite file and its folder are made when missing.

    `patience` are the seconds to wait for others who write into SQLite.
    """
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, hide_parameters=True)
    Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, hide_parameters=True)
    event.listen(engine, "connect", partial(_prepare_sqlite, patience))
    event.listen(engine, "begin", partial(_begin_sqlite, patience))
    return engine


def _prepare_sqlite(patience: float, connection: Any, _record: object) -> None:
    # The driver must not begin transactions by itself: `_begin_sqlite` does.
    connection.isolation_level = None
    # What a disk has garbled must be found by its checksum, and not keep its whole row from being read.
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"busy_timeout = {round(1000 * patience)}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(patience: float, connection: Connection) -> None:
    # A transaction that reads first and writes later could not be finished when another wrote in between,
    # so writers take the lock at their start.
    if connection.get_execution_options().get("writing", False):
        _take_lock(connection.connection.cursor(), patience)
    else:
        connection.exec_driver_sql("BEGIN")


def _take_lock(cursor: Any, patience: float) -> None:
    """Begin to write as soon as nobody else does.

    SQLite itself waits longer and longer between two looks, up to 0.1 seconds; where others write all the time
    that is most of the time a turn takes. Raises OperationalError when they do so for too long.
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


class _Reading(Session):
    def flush(self, objects: Sequence[object] | None = None) -> None:
        """Refuse changes here: in SQLite, writing them would fail only now and then, when another writes."""
        if self.new or self.dirty or self.deleted:
            raise RuntimeError("a session that only reads was given something to write")


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that sees one state of the database and changes nothing: what tries to is a fault."""
    with _Reading(engine) as session:
        yield session


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A session that is one transaction: committed, durably, at the end of the block, or not at all."""
    with Session(engine.execution_options(writing=True), expire_on_commit=False) as session:
        yield session
        session.commit()


def inserting(session: Session, table: type[SQLModel]) -> postgresql.Insert | sqlite.Insert:
    """A statement that inserts rows, and can be told what to do where there is one already."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    return insert(table.__table__)  # type: ignore[attr-defined]


def upgrade(engine: Engine) -> None:
    """Bring the schema to this version; does nothing when it is there already."""
    with engine.execution_options(writing=True).begin() as connection:
        config = _alembic()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def check_schema(engine: Engine) -> None:
    """Raise SchemaOutdated, with what to do, unless the schema is that of this version."""
    with engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
    wanted = ScriptDirectory.from_config(_alembic()).get_current_head()
    if found != wanted:
        raise SchemaOutdated(
            f"The database has schema {found or 'none'}, this version needs {wanted}. Run: nabu db upgrade"
        )


def _alembic() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config

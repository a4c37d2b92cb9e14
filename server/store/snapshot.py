"""Copies of a complete database, into a SQLite file and back.

So a backup of PostgreSQL can be restored into SQLite, and the other way round.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import JSON, Connection, Engine, MetaData, Table, insert, inspect, select

from server.store import engines, schema
from server.store.rollback import row_numbers

_AT_ONCE = 1000
"""Number of rows in memory at a time."""


def is_empty(engine: Engine) -> bool:
    """Return whether a database has no tables."""
    return not inspect(engine).get_table_names()


def snapshot(engine: Engine, file: Path) -> None:
    """Write a consistent copy of a database into a new SQLite file, while other processes continue to write."""
    if engine.dialect.name == "sqlite":
        raw = engine.raw_connection()
        with closing(raw), closing(sqlite3.connect(file)) as copy:
            raw.driver_connection.backup(copy)  # type: ignore[union-attr]
    else:
        with engine.execution_options(isolation_level="REPEATABLE READ").connect() as source:
            target = engines.connect(f"sqlite:///{file}")
            _copy(source, target)
            target.dispose()
    put_together(file)


def put_together(file: Path) -> None:
    """Merge the write-ahead log of an unused SQLite database into its main file."""
    with closing(sqlite3.connect(file)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")


def fill(engine: Engine, file: Path) -> None:
    """Copy the content of a SQLite file into a database without tables, in one transaction."""
    source = engines.connect(f"sqlite:///{file}")
    try:
        with source.connect() as connection:
            _copy(connection, engine)
    finally:
        source.dispose()


def _copy(source: Connection, target: Engine) -> None:
    """Copy all rows of all tables, as they are in the source, in one transaction."""
    known, wanted = MetaData(), MetaData()
    known.reflect(source)
    with target.execution_options(writing=True).begin() as connection:
        schema.upgrade_within(connection, schema.revision_of(source))
        wanted.reflect(connection)
        for table in wanted.sorted_tables:
            if table.name != schema.VERSION_TABLE:
                _copy_table(source, known.tables[table.name], connection, table)
                if "id" in table.columns:
                    row_numbers.go_on(connection, table.name, row_numbers.last(source, table.name))


def _copy_table(source: Connection, table: Table, target: Connection, copy: Table) -> None:
    for column in (*table.columns, *copy.columns):
        if isinstance(column.type, JSON):
            column.type = JSON(none_as_null=True)
    order = list(table.primary_key.columns)
    rows = source.execution_options(yield_per=_AT_ONCE).execute(select(table).order_by(*order))
    for part in rows.mappings().partitions():
        target.execute(insert(copy), [dict(row) for row in part])

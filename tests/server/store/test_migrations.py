"""The migrations create the schema of the models."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    DateTime,
    Engine,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    insert,
    inspect,
    text,
)
from sqlalchemy.types import TypeEngine
from sqlmodel import Session, SQLModel, select

from server.store import engines, schema
from server.store.engines import connect
from tests.support import speed
from tests.support.database.postgres import Server

Rows = dict[str, list[dict[str, Any]]]
"""Rows by table name."""

SCRIPTS = ScriptDirectory(str(schema.MIGRATIONS))
REVISIONS = [step.revision for step in reversed(list(SCRIPTS.walk_revisions()))]


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """Return the URL of a database without tables, for SQLite and PostgreSQL."""
    if request.param == "sqlite":
        engine = connect(f"sqlite:///{tmp_path}/empty.db")
        yield engine
        engine.dispose()
        return
    server: Server = request.getfixturevalue("postgres")
    name = server.make_database()
    engine = connect(server.url(name))
    yield engine
    engine.dispose()
    server.drop_database(name)


def migrate(engine: Engine, revision: str) -> None:
    """Upgrade an empty database to the schema of an earlier version."""
    config = Config()
    with engine.execution_options(writing=True).begin() as connection:
        config.attributes["connection"] = connection
        # Like `alembic.command.upgrade`, which would read all scripts each time.
        with EnvironmentContext(config, SCRIPTS, fn=lambda now, _: SCRIPTS._upgrade_revs(revision, now)):
            SCRIPTS.run_env()


def fill(connection: Connection, number: int) -> Rows:
    """Insert a row with this number into each table, with a value in each column; return the rows."""
    rows: Rows = {}
    for table in tables_of(connection):
        row = {column.name: value_for(column, number) for column in table.columns}
        added = connection.execute(insert(table).values(row).returning(table))
        rows[table.name] = [dict(each._mapping) for each in added]
    return rows


def value_for(column: Column[Any], number: int = 1) -> Any:
    """Return a valid value for a column; keys and references are `number`, and texts contain it."""
    values: dict[type[TypeEngine[Any]], Any] = {
        JSON: [1] if column.name in ("asked", "memory", "rolled", "answers") else {"a": 1},
        Boolean: True,
        Integer: number,
        Float: 1.5,
        DateTime: datetime(2026, 3, 1, tzinfo=UTC).replace(tzinfo=None),
        LargeBinary: b"sealed",
        String: f"text {number}",
    }
    return next(value for sort, value in values.items() if isinstance(column.type, sort))


def test_newest_migration_is_the_newest_revision() -> None:
    assert schema.newest() == REVISIONS[-1]


@pytest.mark.slow
@pytest.mark.parametrize("empty", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True)
@pytest.mark.timeout(300)  # some seconds: it grows with every version
def test_data_of_each_earlier_version_is_kept(empty: Engine) -> None:
    """Upgrade one database through all versions; each version inserts a row into each table."""
    written: dict[str, Rows] = {}
    for number, revision in enumerate(REVISIONS, start=1):
        migrate(empty, revision)
        with empty.execution_options(writing=True).begin() as connection:
            written[revision] = fill(connection, number)
    schema.check(empty)
    with empty.connect() as connection:
        kept = stored(connection, tables_of(connection))
    for revision, tables in written.items():
        for table, rows in tables.items():
            found = [[row[name] for name in rows[0]] for row in kept[table]]
            assert len(rows) == 1
            assert list(rows[0].values()) in found, f"{table} of {revision}"
    models = {model.__name__.lower(): model for model in SQLModel.__subclasses__()}
    with Session(empty) as session:
        for table, rows in kept.items():
            assert len(session.exec(select(models[table])).all()) == len(rows)


def tables_of(connection: Connection) -> list[Table]:
    """Return the tables with their columns, in an order in which they can be filled.

    Reflection would also read keys and indexes, which would take most of the time of these tests.
    """
    found = inspect(connection)
    columns = {name: each for (_, name), each in found.get_multi_columns().items()}
    names = [name for name, _ in found.get_sorted_table_and_fkc_names()]
    return [
        _table(name, tuple((each["name"], type(each["type"])) for each in columns[name]))
        for name in names
        if name is not None and name != "alembic_version"
    ]


@cache
def _table(name: str, columns: tuple[tuple[str, type[TypeEngine[Any]]], ...]) -> Table:
    """Return the same object for an unchanged table, so that its statements are compiled only once."""
    return Table(name, MetaData(), *(Column(column, sort) for column, sort in columns))


def stored(connection: Connection, tables: list[Table]) -> Rows:
    """Return the rows of each table."""
    return {table.name: [dict(row._mapping) for row in connection.execute(table.select())] for table in tables}


def test_migrations_and_models_agree(database_url: str) -> None:
    engine = connect(database_url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
    engine.dispose()


def test_database_without_schema_is_refused_with_advice(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path}/empty.db")
    with pytest.raises(schema.Outdated, match="nabu db upgrade"):
        schema.check(engine)
    schema.upgrade(engine)
    schema.check(engine)
    schema.upgrade(engine)
    engine.dispose()


def test_schema_before_the_first_migration_is_refused(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path}/old.db")
    with engine.execution_options(writing=True).begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('0060')"))
    for attempt in (schema.check, schema.upgrade):
        with pytest.raises(schema.Outdated, match="schema 0060, from before the first release"):
            attempt(engine)
    with engine.connect() as connection:
        assert schema.revision_of(connection) == "0060", "nothing has changed"
    engine.dispose()


def test_sqlite_is_durable_and_checks_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_prepare_sqlite", speed.prepare_as_shipped)
    engine = connect(f"sqlite:///{tmp_path}/new.db")
    with engine.connect() as connection:
        asked = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    engine.dispose()
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}

"""The schema that the migrations make is the one that the models say."""

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
)
from sqlalchemy.types import TypeEngine
from sqlmodel import Session, SQLModel, col, select

from server.store import db, schema
from server.store.db import connect
from server.store.models import Login, Player, Seat
from tests.support import speed
from tests.support.database.postgres import Server

Rows = dict[str, list[dict[str, Any]]]
"""Rows of tables, by the names of the tables."""

SCRIPTS = ScriptDirectory(str(schema.MIGRATIONS))
REVISIONS = [step.revision for step in reversed(list(SCRIPTS.walk_revisions()))]
NOW_CALLED = {"trouble": "failure", "trouble.chore": "job", "game.house": "terms", "seat.luck": "client_seed"}
"""What tables and columns that have another name now were called by earlier versions."""

_SAID_BY_ROWS = {"player.logged_in_since"}
"""Columns that are gone, as the rows of another table say the same."""


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A database without any tables, once SQLite and once PostgreSQL."""
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
    """Bring an empty database to the schema that an earlier version had."""
    config = Config()
    with engine.execution_options(writing=True).begin() as connection:
        config.attributes["connection"] = connection
        # As `alembic.command.upgrade` does, which would read all scripts each time.
        with EnvironmentContext(config, SCRIPTS, fn=lambda now, _: SCRIPTS._upgrade_revs(revision, now)):
            SCRIPTS.run_env()


def fill(connection: Connection, number: int) -> Rows:
    """Put a row into each table as it is, with a value in each column, that has this number; those rows."""
    rows: Rows = {}
    for table in tables_of(connection):
        row = {column.name: value_for(column, number) for column in table.columns}
        added = connection.execute(insert(table).values(row).returning(table))
        rows[table.name] = [dict(each._mapping) for each in added]
    return rows


def value_for(column: Column[Any], number: int = 1) -> Any:
    """A value that the models can read; all keys and references are `number`, and all texts are its own."""
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


def test_the_newest_file_is_the_newest_revision() -> None:
    assert schema.newest() == REVISIONS[-1]


@pytest.mark.slow
@pytest.mark.parametrize("empty", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True)
@pytest.mark.timeout(300)  # seconds: it grows with every version
def test_what_each_earlier_version_stored_is_kept(empty: Engine) -> None:
    """One database lives through all versions, and each puts a row into each table that it knows."""
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
            names = {
                name: NOW_CALLED.get(f"{table}.{name}", name)
                for name in rows[0]
                if f"{table}.{name}" not in _SAID_BY_ROWS
            }
            found = [[row[now] for now in names.values()] for row in kept[NOW_CALLED.get(table, table)]]
            assert len(rows) == 1
            assert [rows[0][name] for name in names] in found, f"{table} of {revision}"
    models = {model.__name__.lower(): model for model in SQLModel.__subclasses__()}
    with Session(empty) as session:
        for table, rows in kept.items():
            assert len(session.exec(select(models[table])).all()) == len(rows)


def test_players_whose_names_look_alike_keep_them(empty: Engine) -> None:
    """From before that was refused; nobody else gets such a name."""
    migrate(empty, "0009")
    names = ["Ann", "Аnn", "Bob", "А\u043f\u043f", "ANN-", "B0b"]
    with empty.execution_options(writing=True).begin() as connection:
        tables = MetaData()
        tables.reflect(connection)
        table = tables.tables["player"]
        row = {column.name: value_for(column) for column in table.columns}
        for number, name in enumerate(names, 1):
            own = {"id": number, "name": name, "name_key": name.casefold()}
            connection.execute(insert(table).values(row | own))
    schema.upgrade(empty)
    with Session(empty) as session:
        kept = {
            player.name: player.name_shape for player in session.exec(select(Player).order_by(col(Player.id)))
        }
    assert list(kept) == names
    assert len(set(kept.values())) == len(names)
    assert kept["Аnn"] == f"{kept['Ann']} (2)"


def test_who_was_logged_in_stays_so(empty: Engine) -> None:
    migrate(empty, "0027")
    with empty.execution_options(writing=True).begin() as connection:
        tables = MetaData()
        tables.reflect(connection)
        rows = {name: {c.name: value_for(c) for c in tables.tables[name].columns} for name in tables.tables}
        players = {"name": "{}", "name_key": "{}", "name_shape": "{}", "feed_key": "{}"}
        for number, since, serial in ((1, 0, 0), (2, 1, 1), (3, 20, 22), (4, 2, 40)):
            numbers = {"id": number, "logged_in_since": since, "login_serial": serial}
            own: dict[str, Any] = {name: text.format(number) for name, text in players.items()}
            connection.execute(insert(tables.tables["player"]).values(rows["player"] | own | numbers))
        connection.execute(insert(tables.tables["channel"]).values(rows["channel"] | {"service": "Firefox"}))
        connection.execute(
            insert(tables.tables["browser"]).values(rows["browser"] | {"player_id": 4, "login": 3})
        )
    schema.upgrade(empty)
    with Session(empty) as session:
        found = {(login.player_id, login.number): login.browser for login in session.exec(select(Login))}
    assert [number for player, number in sorted(found) if player == 4] == [3, *range(31, 41)]
    assert [each for each in sorted(found) if each[0] < 4] == [(2, 1), (3, 20), (3, 21), (3, 22)]
    assert found[4, 3] == "Firefox"
    assert set(found.values()) == {"Firefox", "A browser"}


def test_games_that_are_over_tell_what_the_result_was_for_each_seat(empty: Engine) -> None:
    migrate(empty, "0020")
    results = [None, [1], [0, 2], []]
    with empty.execution_options(writing=True).begin() as connection:
        tables = MetaData()
        tables.reflect(connection)

        def add(name: str, **own: Any) -> None:
            row = {column.name: value_for(column) for column in tables.tables[name].columns}
            connection.execute(insert(tables.tables[name]).values(row | own))

        add("player")
        for game, winners in enumerate(results, 1):
            result = None if winners is None else {"winners": winners, "reason": "resigned"}
            add("game", id=game, state="running" if winners is None else "over", result=result)
            for seat in range(3):
                add("seat", game_id=game, number=seat)
    schema.upgrade(empty)
    with Session(empty) as session:
        seats = session.exec(select(Seat).order_by(col(Seat.game_id), col(Seat.number))).all()
    assert [seat.outcome for seat in seats] == [
        *("", "", ""),
        *("lost", "won", "lost"),
        *("drawn", "lost", "drawn"),
        *("abandoned", "abandoned", "abandoned"),
    ]


def tables_of(connection: Connection) -> list[Table]:
    """Our tables with their columns, as they are, in an order in which they can be filled.

    Nothing else is looked up, as reflecting them would: it would take most of the time of these tests.
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
    """The same as long as it does not change: what is asked about it has to be compiled once only."""
    return Table(name, MetaData(), *(Column(column, sort) for column, sort in columns))


def stored(connection: Connection, tables: list[Table]) -> Rows:
    """The rows of each table."""
    return {table.name: [dict(row._mapping) for row in connection.execute(table.select())] for table in tables}


def test_migrations_and_models_agree(database_url: str) -> None:
    engine = connect(database_url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
    engine.dispose()


def test_a_database_without_schema_is_refused_with_what_to_do(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path}/empty.db")
    with pytest.raises(schema.Outdated, match="nabu db upgrade"):
        schema.check(engine)
    schema.upgrade(engine)
    schema.check(engine)
    schema.upgrade(engine)
    engine.dispose()


def test_sqlite_is_durable_and_checks_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db, "_prepare_sqlite", speed.prepare_as_shipped)
    engine = connect(f"sqlite:///{tmp_path}/new.db")
    with engine.connect() as connection:
        asked = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    engine.dispose()
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}

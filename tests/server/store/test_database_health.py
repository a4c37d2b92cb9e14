"""The cause of each error of the database is named, and what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from server.processes.services import Services, open_services
from server.store import database_health
from server.store.database_health import Probe, cause_of
from server.store.db import writing
from server.store.engines import connect
from server.store.failures import diagnosis
from server.web import create_app
from tests.support.server.services import settings_for, sqlite_database
from tests.support.web.client import Browser


@pytest.fixture
def file(tmp_path: Path) -> Path:
    sqlite_database(tmp_path)
    return tmp_path / "nabu.db"


def locked(file: Path) -> None:
    with closing(sqlite3.connect(file)) as other, closing(sqlite3.connect(file, timeout=0)) as own:
        other.execute("BEGIN EXCLUSIVE")
        own.execute("BEGIN IMMEDIATE")


def read_only(file: Path) -> None:
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as own:
        own.execute("DELETE FROM heartbeat")


def full(file: Path) -> None:
    with closing(sqlite3.connect(file)) as own:
        own.execute("PRAGMA max_page_count = 1")
        own.execute("CREATE TABLE more AS SELECT randomblob(100000)")


def half(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
    with closing(sqlite3.connect(file)) as own:
        own.execute("PRAGMA integrity_check").fetchall()
        own.execute("VACUUM")


def another(file: Path) -> None:
    file.write_bytes(b"x" * 5000)
    with closing(sqlite3.connect(file)) as own:
        own.execute("SELECT 1 FROM heartbeat")


def away(file: Path) -> None:
    sqlite3.connect(file.parent / "gone" / "nabu.db")


@pytest.mark.parametrize(
    ("fail", "code", "told"),
    [
        (locked, "SQLITE_BUSY", "another program has locked"),
        (read_only, "SQLITE_READONLY", "cannot be written"),
        (full, "SQLITE_FULL", "disk of the database is full"),
        (half, "SQLITE_CORRUPT", "damaged or cut off"),
        (another, "SQLITE_NOTADB", "damaged"),
        (away, "SQLITE_CANTOPEN", "cannot be opened"),
    ],
)
def test_each_sqlite_error_has_a_cause_in_words(
    file: Path, fail: Callable[[Path], None], code: str, told: str
) -> None:
    with pytest.raises(sqlite3.Error) as found:
        fail(file)
    cause = cause_of(found.value)
    assert cause is not None
    assert cause.code == code
    assert told in cause.clause
    assert cause.fix
    assert diagnosis(found.value).endswith(f"{cause.clause} ({code})")


@pytest.mark.parametrize("database", ["postgresql"])
def test_postgresql_error_has_a_cause_in_words(database_url: str) -> None:
    engine = connect(database_url)
    with engine.connect() as connection:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        with pytest.raises(DBAPIError) as found:
            connection.exec_driver_sql("DELETE FROM heartbeat")
    cause = cause_of(found.value)
    assert cause is not None
    assert "only reads" in cause.clause
    engine.dispose()


def test_other_errors_have_no_cause() -> None:
    assert cause_of(ValueError("secret")) is None
    assert "secret" not in diagnosis_of(ValueError("secret"))


def diagnosis_of(error: Exception) -> str:
    try:
        raise error
    except ValueError as raised:
        return diagnosis(raised)


def test_probe_changes_nothing_and_is_rare(services: Services) -> None:
    probe = Probe(services.engine)
    probe.look()
    with writing(services.engine) as session:
        session.connection().exec_driver_sql("ALTER TABLE databaseage RENAME TO gone")
    probe.look()
    with pytest.raises(DBAPIError):
        Probe(services.engine).look()
    with writing(services.engine) as session:
        assert session.connection().exec_driver_sql("SELECT beats FROM gone").scalar() == 0
        session.connection().exec_driver_sql("ALTER TABLE gone RENAME TO databaseage")


@pytest.fixture
def busy(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Services]:
    """Return services whose database is locked by another program."""
    monkeypatch.setattr(database_health, "PATIENCE", 0.0)
    services = open_services(settings_for(f"sqlite:///{file}"))
    with closing(sqlite3.connect(file)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield services
    services.close()


def test_readyz_names_the_cause(busy: Services) -> None:
    page = Browser(create_app(busy)).get("/readyz")
    assert (page.status_code, page.text.partition(".")[0]) == (
        503,
        "database: another program has locked the file of the database",
    )

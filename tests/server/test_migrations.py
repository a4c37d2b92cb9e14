"""The schema that the migrations make is the one that the models say."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlmodel import SQLModel

from server import db
from server.db import SchemaOutdated, connect


def test_migrations_and_models_agree(database_url: str) -> None:
    engine = connect(database_url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
    engine.dispose()


def test_a_database_without_schema_is_refused_with_what_to_do(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path}/empty.db")
    with pytest.raises(SchemaOutdated, match="nabu db upgrade"):
        db.check_schema(engine)
    db.upgrade(engine)
    db.check_schema(engine)
    db.upgrade(engine)
    engine.dispose()


def test_sqlite_is_durable_and_checks_references(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path}/new.db")
    with engine.connect() as connection:
        asked = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    engine.dispose()
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}

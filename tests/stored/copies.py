"""Copies of what an earlier version stored: in SQLite or poured into PostgreSQL, and brought up to date.

`tests/stored/test_stored.py` tells what is in it.
"""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, Connection, MetaData, Table, insert, text

from server.processes.services import Services, open_services
from server.store import db
from server.store.db import connect
from tests.server.store.test_migrations import migrate
from tests.services import Clock, settings_for

FOLDER = Path(__file__).parent
NAME = "2026-11"
FACTS: dict[str, Any] = json.loads((FOLDER / f"{NAME}.json").read_text(encoding="utf-8"))
"""What is where in it, and addresses that stand in mails of then."""


def unpack(file: Path) -> None:
    """Write the database to a file, as it was left then."""
    with gzip.open(FOLDER / f"{NAME}.db.gz") as packed, file.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)


def open_copy(url: str, smtp_url: str, clock: Clock) -> Services:
    """The services of then over a copy: the same key and the same addresses."""
    settings = settings_for(url, smtp_url=smtp_url, domain_rate=100000)
    return open_services(settings, clock)


def bring_up_to_date(url: str) -> None:
    """What `nabu db upgrade` does."""
    engine = connect(url)
    db.upgrade(engine)
    engine.dispose()


def pour(file: Path, url: str) -> None:
    """Fill an empty database of PostgreSQL with all rows of the file, in the schema of then."""
    source, target = connect(f"sqlite:///{file}"), connect(url)
    with source.connect() as reading:
        revision = reading.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        migrate(target, revision)
        with target.execution_options(writing=True).begin() as writing:
            _pour_tables(reading, writing)
    source.dispose()
    target.dispose()


def _pour_tables(reading: Connection, writing: Connection) -> None:
    of_then, here = _tables(reading), _tables(writing)
    for name, table in here.items():
        rows = [dict(row._mapping) for row in reading.execute(of_then[name].select())]
        if rows:
            writing.execute(insert(table), rows)
        if name != "heartbeat" and "id" in table.columns:
            _count_on(writing, table)


def _tables(connection: Connection) -> dict[str, Table]:
    """All tables, in an order in which they can be filled; what is NULL in a column of JSON stays so."""
    tables = MetaData()
    tables.reflect(connection)
    for table in tables.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, JSON):
                column.type = JSON(none_as_null=True)
    return {table.name: table for table in tables.sorted_tables if table.name != "alembic_version"}


def _count_on(connection: Connection, table: Table) -> None:
    """Have new rows numbered from behind those that are there."""
    sequence = connection.execute(text(f"SELECT pg_get_serial_sequence('{table.name}', 'id')")).scalar()
    last = f"SELECT setval('{sequence}', (SELECT coalesce(max(id), 1) FROM {table.name}))"  # noqa: S608 - the same
    connection.execute(text(last))

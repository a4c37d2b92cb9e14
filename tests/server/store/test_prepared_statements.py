"""The prepared statements use their declared indexes in both databases."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import IntegrityError

from server.processes.services import Services
from server.store.db import reading
from server.store.models import UtcDateTime
from server.store.statements import prepared_statements
from server.store.statements.prepared_statements import Prepared

pytestmark = pytest.mark.both

_LOOKING = [name for name, asked in prepared_statements.statements("sqlite") if asked.by]
_MOMENT = datetime(2026, 3, 1, tzinfo=UTC)
_SCANS = re.compile(r"\bSCAN\b|Seq Scan")


def plan(engine: Engine, asked: Prepared[*tuple[Any, ...]]) -> str:
    """Return the query plan of a statement; PostgreSQL scans tables only if there is no index."""
    binds = asked.statement.compile(engine).binds.items()  # type: ignore[attr-defined]
    given = {name: _value(bind.type) for name, bind in binds if bind.required}
    given |= {name: [given[name]] for name, bind in binds if bind.expanding}
    steps: list[str] = []

    def explain(_connection: object, cursor: Any, statement: str, parameters: Any, *_rest: object) -> None:
        other = cursor.connection.cursor()
        other.execute(f"{'EXPLAIN QUERY PLAN' if is_sqlite else 'EXPLAIN'} {statement}", parameters)
        steps.extend(str(row[-1]) for row in other.fetchall())

    is_sqlite = engine.dialect.name == "sqlite"
    with reading(engine) as session:
        if not is_sqlite:
            session.execute(text("SET LOCAL enable_seqscan = off"))
        event.listen(engine, "before_cursor_execute", explain)
        try:
            with suppress(IntegrityError):  # a row with few values
                asked(session, **given)
        finally:
            event.remove(engine, "before_cursor_execute", explain)
    return "\n".join(steps)


def _value(column: Any) -> Any:
    if isinstance(column, UtcDateTime):
        return _MOMENT
    return {int: 1, bool: True, bytes: b"x"}.get(column.python_type, "x")


def named(index: str) -> str:
    """Return the name of an index in a plan of SQLite, which has its own names for those of keys."""
    table = index.removesuffix("_pkey")
    if table == index:
        return rf"\b{index}\b"
    return rf"\b(sqlite_autoindex_{table}_1|{table} USING INTEGER PRIMARY KEY)\b"


def test_most_statements_search_for_rows() -> None:
    assert len(_LOOKING) > 5


@pytest.mark.parametrize("name", _LOOKING)
def test_rows_are_found_by_the_named_index(services: Services, name: str) -> None:
    dialect = services.engine.dialect.name
    asked = dict(prepared_statements.statements(dialect))[name]
    found = plan(services.engine, asked)
    assert not _SCANS.search(found), found
    if dialect == "sqlite":  # PostgreSQL decides again by the number of rows
        for index in asked.by:
            assert re.search(named(index), found), f"{index} is not in:\n{found}"

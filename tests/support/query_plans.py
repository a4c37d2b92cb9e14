"""The statements of some work, and the database's query plans for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlmodel import SQLModel

from server.store.db import reading

_SMALL = frozenset({"heartbeat", "knownkey", "ledger", "policy", "announcement", "blockedaddress", "staff"})
"""The tables that do not grow with players and games."""
_RARE = frozenset({"failure", "abusereport", "change", "inquiry"})
"""Tables of rare or short-lived rows: an hourly job may scan them."""
_LARGE = "SELECT relname FROM pg_class WHERE reltuples > 1000"
"""The tables and indexes with too many rows to scan."""
_STATEMENTS = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")


@dataclass(frozen=True)
class Step:
    """A step of a plan."""

    text: str
    scans: bool
    """True if it scans a table that grows; on PostgreSQL, one that has grown."""


@dataclass(frozen=True)
class QueryPlan:
    """The query plan of one statement."""

    statement: str
    steps: Sequence[Step]

    @property
    def scans(self) -> bool:
        """True if any step scans a table that grows."""
        return any(step.scans for step in self.steps)


def query_plans(engine: Engine, work: Callable[[], object]) -> list[QueryPlan]:
    """Return the plan of each different statement that some work takes."""
    with _asked(engine) as found:
        work()
    return [QueryPlan(" ".join(each.split()), _steps(engine, each, given)) for each, given in found.items()]


@contextmanager
def _asked(engine: Engine) -> Iterator[dict[str, Any]]:
    """Collect each statement that is executed meanwhile, with its latest parameters."""
    found: dict[str, Any] = {}

    def note(_connection: object, _cursor: object, statement: str, given: Any, *rest: Any) -> None:
        if statement.startswith(_STATEMENTS):
            is_many = rest[-1]
            found[statement] = given[0] if is_many else given

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", note)


def _steps(engine: Engine, statement: str, given: Any) -> list[Step]:
    with reading(engine) as session:
        connection = session.connection()
        if engine.dialect.name == "sqlite":
            return _sqlite_plan(connection, statement, given)
        return _postgres_plan(connection, statement, given)


def _sqlite_plan(connection: Connection, statement: str, given: Any) -> list[Step]:
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)
    return [Step(detail, _sqlite_scans(detail)) for *_, detail in rows]


def _sqlite_scans(detail: str) -> bool:
    """Return whether a step scans a table; a step that uses an index for a few of its rows does not."""
    what, _, rest = detail.partition(" ")
    table, *others = rest.split(" ")
    return what == "SCAN" and _grows(table) and others[-1:] not in [[name] for name in _of_few()]


def _postgres_plan(connection: Connection, statement: str, given: Any) -> list[Step]:
    large = {name for (name,) in connection.exec_driver_sql(_LARGE)}
    (found,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", given).one()
    return list(_postgres_steps(found[0]["Plan"], large, 0))


def _postgres_steps(node: dict[str, Any], large: Set[str], depth: int) -> Iterator[Step]:
    """Yield the steps, the outermost first."""
    game_type, table, index = node["Node Type"], node.get("Relation Name", ""), node.get("Index Name", "")
    narrowed = node.get("Index Cond", "")
    said = (game_type, table and f"on {table}", index and f"by {index}", narrowed)
    whole = (
        {table, index} & large
        and not narrowed
        and game_type.endswith("Scan")
        and game_type != "Bitmap Heap Scan"
    )
    yield Step("  " * depth + " ".join(filter(None, said)), bool(whole) and index not in _of_few())
    for below in node.get("Plans", ()):
        yield from _postgres_steps(below, large, depth + 1)


def _grows(table: str) -> bool:
    return table in SQLModel.metadata.tables and table not in _SMALL | _RARE


def _of_few() -> set[str]:
    """Return the names of indexes that hold only the rows of a condition."""
    return {
        str(index.name)
        for table in SQLModel.metadata.tables.values()
        for index in table.indexes
        if index.dialect_options["sqlite"]["where"] is not None
    }

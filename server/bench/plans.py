"""Which statements something takes, and what the database says of how it goes about them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlmodel import SQLModel

from server.store.db import reading

_SMALL = frozenset({"heartbeat", "knownkey", "ledger", "policy", "announcement", "blockedaddress", "staff"})
"""The tables that do not grow with players and games."""
_STATEMENTS = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")


@dataclass(frozen=True)
class Step:
    """A step of a plan."""

    text: str
    scans: bool
    """Whether it goes through a table that grows."""


@dataclass(frozen=True)
class Plan:
    """How the database goes about a statement."""

    statement: str
    steps: Sequence[Step]

    @property
    def scans(self) -> bool:
        """Whether it goes through a table that grows."""
        return any(step.scans for step in self.steps)


def of(engine: Engine, work: Callable[[], object], *, whole: bool = True) -> list[Plan]:
    """How the database goes about each different statement that some work takes.

    Unless it may go through `whole` tables, PostgreSQL is told not to where it knows another way.
    """
    with _asked(engine) as found:
        work()
    return [Plan(" ".join(each.split()), _steps(engine, each, given, whole)) for each, given in found.items()]


@contextmanager
def _asked(engine: Engine) -> Iterator[dict[str, Any]]:
    """Each statement that the database is asked meanwhile, with what it was last given."""
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


def _steps(engine: Engine, statement: str, given: Any, whole: bool) -> list[Step]:
    with reading(engine) as session:
        connection = session.connection()
        if engine.dialect.name == "sqlite":
            return _sqlite_plan(connection, statement, given)
        if not whole:
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        return _postgres_plan(connection, statement, given)


def _sqlite_plan(connection: Connection, statement: str, given: Any) -> list[Step]:
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given)
    return [Step(detail, _sqlite_scans(detail)) for *_, detail in rows]


def _sqlite_scans(detail: str) -> bool:
    """Whether a step goes through a table; one through an index of few of its rows does not."""
    what, _, rest = detail.partition(" ")
    table, *others = rest.split(" ")
    return what == "SCAN" and _grows(table) and others[-1:] not in [[name] for name in _of_few()]


def _postgres_plan(connection: Connection, statement: str, given: Any) -> list[Step]:
    (found,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", given).one()
    return list(_postgres_steps(found[0]["Plan"], 0))


def _postgres_steps(node: dict[str, Any], depth: int) -> Iterator[Step]:
    """Steps from the outermost on."""
    kind, table, index = node["Node Type"], node.get("Relation Name", ""), node.get("Index Name", "")
    narrowed = node.get("Index Cond") or ""
    words = "  " * depth, kind, table and f" on {table}", index and f" by {index}", narrowed and f" {narrowed}"
    through_index = kind.startswith(("Index", "Bitmap Index")) and not narrowed and index not in _of_few()
    scans = (kind == "Seq Scan" and _grows(table)) or (through_index and _grows(table or _table_of(index)))
    yield Step("".join(words), scans)
    for below in node.get("Plans", ()):
        yield from _postgres_steps(below, depth + 1)


def _grows(table: str) -> bool:
    return table in SQLModel.metadata.tables and table not in _SMALL


def _of_few() -> set[str]:
    """The names of the indexes of those rows of a table that a condition names."""
    return {
        str(index.name)
        for table in SQLModel.metadata.tables.values()
        for index in table.indexes
        if index.dialect_options["sqlite"]["where"] is not None
    }


def _table_of(index: str) -> str:
    """The table of an index."""
    return next(
        (
            table.name
            for table in SQLModel.metadata.tables.values()
            if index in {each.name for each in table.indexes} or index.startswith(f"{table.name}_")
        ),
        "",
    )

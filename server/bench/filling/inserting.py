"""Millions of rows that the database creates by itself from other rows."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    DateTime,
    FromClause,
    String,
    Table,
    cast,
    func,
    insert,
    literal,
    null,
    select,
    true,
    type_coerce,
)
from sqlmodel import Session, SQLModel

Columns = dict[str, ColumnElement[Any]]


def table_of(model: type[SQLModel]) -> Table:
    """Return the table of a model."""
    table: Table = model.__table__  # type: ignore[attr-defined]
    return table


def numbers(first: int, end: int) -> Any:
    """Return the numbers `n` from the first to before the end, as a table."""
    begun = select(literal(first, BigInteger).label("n")).cte("numbers", recursive=True)
    return begun.union_all(select(begun.c.n + 1).where(begun.c.n + 1 < end))


def add(
    session: Session, like: SQLModel, source: FromClause, own: Columns, *where: ColumnElement[bool]
) -> None:
    """Add a row like this one for each of these rows of another table, with other values in some columns."""
    table = table_of(type(like))
    same = {name: value for name, value in like.model_dump().items() if name not in own and name != "id"}
    columns: Columns = {
        name: null() if value is None else literal(value, table.c[name].type) for name, value in same.items()
    }
    rows = select(*columns.values(), *own.values()).select_from(source).where(true(), *where)
    session.execute(insert(table).from_select([*columns, *own], rows))


def shifted(session: Session, moment: ColumnElement[Any], seconds: ColumnElement[int]) -> ColumnElement[Any]:
    """Return a moment some seconds later, or earlier."""
    if is_sqlite(session):
        return func.strftime("%Y-%m-%d %H:%M:%f000", moment, cast(seconds, String).concat(" seconds"))
    return type_coerce(moment, DateTime()) + func.make_interval(0, 0, 0, 0, 0, 0, seconds)


def is_sqlite(session: Session) -> bool:
    """Return whether the database is SQLite."""
    return session.get_bind().dialect.name == "sqlite"

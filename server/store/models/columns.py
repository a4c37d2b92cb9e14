"""Column types: moments, row numbers, JSON."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, DateTime, Dialect, ForeignKey, Integer, TypeDecorator

Json = dict[str, Any]
_ROW_NUMBER = re.compile("[0-9]{1,15}")  # no row has more digits, and databases cannot search for more


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: with a time zone in Python, without one and in UTC in the database."""

    impl = DateTime(timezone=False)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: object) -> datetime | None:
        """Convert to UTC; refuse moments without a time zone, because they are ambiguous."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("moment without a time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, _dialect: object) -> datetime | None:
        """Add the time zone."""
        return None if value is None else value.replace(tzinfo=UTC)


class Readable(TypeDecorator[Any]):
    """JSON; unreadable values become None, and checksums or hashes detect them."""

    impl = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Return a function that reads damaged text as None."""
        read = super().result_processor(dialect, coltype)

        def tolerantly(value: Any) -> Any:
            try:
                return value if read is None else read(value)
            except (ValueError, RecursionError):
                return None

        return tolerantly


# SQLite generates row numbers only in a column of type INTEGER.
Id = BigInteger().with_variant(Integer, "sqlite")
NUMBERED = {"sqlite_autoincrement": True}
"""For a table whose row numbers are used outside of the database (see `store.rollback.row_numbers`)."""
JsonColumn = JSON(none_as_null=True)
ReadableColumn = Readable(none_as_null=True)


def row_number(written: str) -> int | None:
    """Return the number of a row, such as a game, as a person writes it; None if no row can have it."""
    return int(written) if _ROW_NUMBER.fullmatch(written) else None


def refers(
    table: str, *, primary_key: bool = False, nullable: bool = False, index: bool | None = None
) -> Column[int]:
    """Return a column that refers to a row of this table."""
    return Column(Id, ForeignKey(f"{table}.id"), primary_key=primary_key, nullable=nullable, index=index)

"""Types of columns that the tables share: moments, numbers of rows, JSON."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, DateTime, Dialect, ForeignKey, Integer, TypeDecorator

Json = dict[str, Any]


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware in Python; without a zone, in UTC, in the database."""

    impl = DateTime(timezone=False)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: object) -> datetime | None:
        """Refuse moments without a zone: they would be read as another time elsewhere."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, _dialect: object) -> datetime | None:
        """Give the moment its zone back."""
        return None if value is None else value.replace(tzinfo=UTC)


class Readable(TypeDecorator[Any]):
    """JSON; what cannot be read as such is None, and found by its checksum or its hash."""

    impl = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Read the text, whatever has become of it."""
        read = super().result_processor(dialect, coltype)

        def tolerantly(value: Any) -> Any:
            try:
                return value if read is None else read(value)
            except (ValueError, RecursionError):
                return None

        return tolerantly


# SQLite numbers rows by itself only in a column of the type INTEGER.
Id = BigInteger().with_variant(Integer, "sqlite")
NUMBERED = {"sqlite_autoincrement": True}
"""Of a table whose numbers are named outside of the database (see `store.numbering`)."""
JsonColumn = JSON(none_as_null=True)
ReadableColumn = Readable(none_as_null=True)


def refers(
    table: str, *, primary_key: bool = False, nullable: bool = False, index: bool | None = None
) -> Column[int]:
    """Return a column for the number of a row of this table."""
    return Column(Id, ForeignKey(f"{table}.id"), primary_key=primary_key, nullable=nullable, index=index)

"""Plans: statements that SQLAlchemy compiles once for each database, and that then run on its driver directly.

For each execution, SQLAlchemy looks up the compiled statement and builds a context and a result. That takes
several times as long as the statement itself (`docs/measurements.md` has the figures). Listeners of the engine
are called, and errors are raised, as by SQLAlchemy.
"""

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVarTuple

from sqlalchemy import Connection, Dialect, Executable, Float, Select
from sqlalchemy.types import TypeEngine

_Columns = TypeVarTuple("_Columns")
Converter = Callable[[Any], Any]


class Found(Generic[*_Columns]):
    """The rows that a statement returned, and the number of rows that it changed."""

    def __init__(self, rows: Sequence[tuple[*_Columns]], rowcount: int) -> None:
        self._rows, self.rowcount = rows, rowcount

    def __iter__(self) -> Iterator[tuple[*_Columns]]:
        return iter(self._rows)

    def all(self) -> Sequence[tuple[*_Columns]]:
        """Return all rows."""
        return self._rows

    def first(self) -> tuple[*_Columns] | None:
        """Return the first row; None if there is none."""
        return self._rows[0] if self._rows else None

    def only(self) -> tuple[*_Columns]:
        """Return the only row."""
        (row,) = self._rows
        return row


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a compiled statement: its name there and, for one of a list, its place in the list."""

    compiled: str
    name: str
    place: int | None
    default: Any
    convert: Converter | None

    def value(self, given: Mapping[str, Any]) -> Any:
        """Return the value for the driver."""
        value = given.get(self.name, self.default)
        if self.place is not None:
            value = value[self.place]
        return value if self.convert is None else self.convert(value)


class _Context:
    """The context that listeners of the engine get; they may store something in it."""

    began: float


class Plan:
    """A statement that is compiled for one database."""

    def __init__(self, statement: Any, dialect: Dialect, given: Mapping[str, Any]) -> None:
        """`given` are the parameters of one execution; others have the same names, and lists as long."""
        is_select = isinstance(statement, Select)
        lists = {name: value for name, value in given.items() if is_select and isinstance(value, list)}
        compiled: Any = (statement.params(given) if lists else statement).compile(
            dialect=dialect,
            column_keys=None if is_select else list(given),
            compile_kwargs={"render_postcompile": bool(lists)},
        )
        self.sql = str(compiled)
        self._is_positional = compiled.positional
        names = compiled.positiontup if compiled.positional else [*_names(compiled, lists)]
        places = {f"{name}_{n + 1}": (name, n) for name, value in lists.items() for n in range(len(value))}
        self._parameters = [_parameter(compiled, dialect, name, places.get(name)) for name in names]
        self._returned = list(statement.exported_columns)
        self._converters = [
            (place, convert)
            for place, column in enumerate(self._returned)
            if (convert := from_database(column.type, dialect)) is not None
        ]
        self._row: Any = namedtuple("Row", [column.name for column in self._returned], rename=True)  # type: ignore[misc]

    def run(self, connection: Connection, given: Mapping[str, Any]) -> Found[*tuple[Any, ...]]:
        """Execute the statement, and return its rows with converted values."""
        cursor = self._execute(connection, given)
        if not self._returned:
            return Found((), cursor.rowcount)
        rows = cursor.fetchall()
        if self._converters:
            rows = [self._converted(row) for row in rows]
        return Found([*map(self._row._make, rows)], cursor.rowcount)

    def raw_rows(self, connection: Connection, given: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """Execute the statement, and return its rows as the driver does."""
        rows: Sequence[Sequence[Any]] = self._execute(connection, given).fetchall()
        return rows

    def rowcount(self, connection: Connection, given: Mapping[str, Any]) -> int:
        """Execute the statement, and return the number of rows that it changed."""
        count: int = self._execute(connection, given).rowcount
        return count

    def _converted(self, row: Sequence[Any]) -> list[Any]:
        values = [*row]
        for place, convert in self._converters:
            values[place] = convert(values[place])
        return values

    def _execute(self, connection: Connection, given: Mapping[str, Any]) -> Any:
        if self._is_positional:
            values: Any = tuple([each.value(given) for each in self._parameters])
        else:
            values = {each.compiled: each.value(given) for each in self._parameters}
        return _execute(connection, self.sql, values)


def _execute(connection: Connection, sql: str, values: Any) -> Any:
    """Execute a statement on the driver, and return its cursor."""
    listeners: Any = connection.dispatch
    cursor, context = connection.connection.cursor(), _Context()
    for listener in listeners.before_cursor_execute:
        listener(connection, cursor, sql, values, context, False)
    try:
        cursor.execute(sql, values)
    except Exception as error:
        # It also closes a connection that the error has broken.
        connection._handle_dbapi_exception(error, sql, values, cursor, None)
    for listener in listeners.after_cursor_execute:
        listener(connection, cursor, sql, values, context, False)
    return cursor


def _names(compiled: Any, lists: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of all parameters of a statement, those of lists with numbers."""
    for name in compiled.bind_names.values():
        if name in lists:
            yield from (f"{name}_{n + 1}" for n in range(len(lists[name])))
        else:
            yield name


def _parameter(compiled: Any, dialect: Dialect, name: str, place: tuple[str, int] | None) -> _Parameter:
    bind = compiled.binds[name if place is None else place[0]]
    convert = bind.type.dialect_impl(dialect).bind_processor(dialect)
    default = bind.value if bind.callable is None else bind.callable()
    if not isinstance(compiled.statement, Select):
        # Values that an insert or update leaves out: the models have only constant defaults.
        prefetched = {column.key: column.default.arg for column in compiled.prefetch}
        default = prefetched.get(name, default)
    return _Parameter(name, bind.key if place is None else place[0], place and place[1], default, convert)


def from_database(kind: TypeEngine[Any], dialect: Dialect) -> Converter | None:
    if isinstance(kind, Float):
        return None  # both drivers return floats
    return kind.dialect_impl(dialect).result_processor(dialect, None)


class Plans:
    """The plans of one statement: by database and parameters and, for a select, by the lengths of lists."""

    def __init__(self, statement: Executable) -> None:
        self._statement, self._is_select = statement, isinstance(statement, Select)
        self._found: dict[tuple[object, ...], Plan] = {}

    def plan_for(self, dialect: Dialect, given: Mapping[str, Any]) -> Plan:
        """Return the plan for parameters like these."""
        key: tuple[object, ...] = (dialect.name, *given)
        if self._is_select:
            key += tuple([len(value) for value in given.values() if type(value) is list])
        plan = self._found.get(key)
        if plan is None:
            plan = self._found[key] = Plan(self._statement, dialect, given)
        return plan

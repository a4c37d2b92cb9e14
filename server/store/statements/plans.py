"""Plans: statements that SQLAlchemy compiles once for each database, and that then run on its driver directly.

For each execution, SQLAlchemy looks up the compiled statement and builds a context and a result, so it takes
twice as long as a plan (`docs/measurements.md` has the figures). Listeners of the engine are called, and errors
of the driver are raised, as by SQLAlchemy.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVarTuple

from sqlalchemy import Connection, Dialect, Engine, Executable, Float, Select
from sqlalchemy.sql.visitors import cloned_traverse
from sqlalchemy.types import TypeEngine

_Columns = TypeVarTuple("_Columns")
Converter = Callable[[Any], Any]
_LONGEST_KEPT = 100
"""The total length of the lists up to which a plan is kept; there is one plan for each length."""


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
    """A parameter of a compiled statement: its name there and, for one of a list, its index in the list."""

    compiled: str
    name: str
    index: int | None
    default: Any
    convert: Converter | None

    def value(self, given: Mapping[str, Any]) -> Any:
        """Return the value for the driver."""
        value = given.get(self.name, self.default)
        if self.index is not None:
            value = value[self.index]
        return value if self.convert is None else self.convert(value)


class _Context:
    """The context that listeners of the engine get, only to store something in it."""

    began: float


def _with_literals(statement: Any, given: Mapping[str, Any]) -> Any:
    """Return a select with its constants as literals, for all parameters but the given ones.

    If a parameter is compared with a column that a partial index names, or is a pattern, its value decides
    which index SQLite uses. So SQLite would compile the statement again for each execution.
    """

    def show(bind: Any) -> None:
        if bind.required and bind.key not in given:
            raise TypeError(f"missing or unknown parameters of a statement: {bind.key}")
        if bind.callable is None and bind.key not in given and isinstance(bind.value, str | int):
            bind.literal_execute = True

    return cloned_traverse(statement, {}, {"bindparam": show})


def _lists(statement: Any, dialect: Dialect, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the lists of a select by their compiled names: those among its parameters, and constant ones."""
    binds = statement.compile(dialect=dialect).binds.items()
    found = {name: given.get(bind.key, bind.value) for name, bind in binds if bind.expanding}
    return {name: value for name, value in found.items() if value is not None}


class Plan:
    """A statement that is compiled for one database."""

    def __init__(self, statement: Any, dialect: Dialect, given: Mapping[str, Any]) -> None:
        """`given` are the parameters of one execution; others have the same names, and lists as long.

        Raises TypeError if a parameter is missing or unknown.
        """
        is_select = isinstance(statement, Select)
        if is_select:
            statement = _with_literals(statement, given).params(given)
        lists = _lists(statement, dialect, given) if is_select else {}
        compiled: Any = statement.compile(
            dialect=dialect,
            column_keys=None if is_select else list(given),
            compile_kwargs={"render_postcompile": is_select},
        )
        self.sql = str(compiled)
        self._is_positional = compiled.positional
        names = compiled.positiontup if compiled.positional else [*_names(compiled, lists)]
        indexes = {f"{name}_{n + 1}": (name, n) for name, value in lists.items() for n in range(len(value))}
        self._parameters = [_parameter(compiled, dialect, name, indexes.get(name)) for name in names]
        required = {bind.key for bind in compiled.binds.values() if bind.required}
        empty = {name for name, value in lists.items() if not value}
        known = empty.union(each.name for each in self._parameters)
        if wrong := (required - given.keys()) | (given.keys() - known):
            raise TypeError(f"missing or unknown parameters of a statement: {', '.join(sorted(wrong))}")
        self._converters = [
            (index, convert)
            for index, column in enumerate(statement.exported_columns)
            if (convert := from_database(column.type, dialect)) is not None
        ]

    def run(self, connection: Connection, given: Mapping[str, Any]) -> Found[*tuple[Any, ...]]:
        """Execute the statement, and return its rows with converted values."""
        rows, rowcount = self.run_raw(connection, given)
        return Found([self._converted(row) for row in rows], rowcount)

    def run_raw(self, connection: Connection, given: Mapping[str, Any]) -> tuple[Sequence[Sequence[Any]], int]:
        """Execute the statement, and return its rows as the driver does, and the number of changed rows."""
        if self._is_positional:
            values: Any = tuple([each.value(given) for each in self._parameters])
        else:
            values = {each.compiled: each.value(given) for each in self._parameters}
        return _execute_on_driver(connection, self.sql, values)

    def _converted(self, row: Sequence[Any]) -> tuple[Any, ...]:
        if not self._converters:
            return tuple(row)
        values = [*row]
        for index, convert in self._converters:
            values[index] = convert(values[index])
        return tuple(values)


def _execute_on_driver(
    connection: Connection, sql: str, values: Any = ()
) -> tuple[Sequence[Sequence[Any]], int]:
    """Execute a statement on the driver, and return its rows and the number of rows that it changed."""
    listeners: Any = connection.engine.dispatch
    cursor, context = None, _Context()
    try:
        cursor = connection.connection.cursor()
        for listener in listeners.before_cursor_execute:
            listener(connection, cursor, sql, values, context, False)
        cursor.execute(sql, values)
        for listener in listeners.after_cursor_execute:
            listener(connection, cursor, sql, values, context, False)
        # SQLite reads all rows but the first here, and may fail.
        return (cursor.fetchall() if cursor.description else ()), cursor.rowcount
    except BaseException as error:
        if isinstance(error, Exception) and not isinstance(error, connection.dialect.loaded_dbapi.Error):
            raise
        # This raises the error as SQLAlchemy's, and closes a connection that the error has broken.
        connection._handle_dbapi_exception(error, sql, values, cursor, None)
        raise


def shorten_savepoints(engine: Engine) -> None:
    """Let savepoints run on the driver: SQLAlchemy compiles their statements each time, which takes longer."""

    def begin(connection: Connection, name: str) -> None:
        _execute_on_driver(connection, f"SAVEPOINT {name}")

    def release(connection: Connection, name: str) -> None:
        _execute_on_driver(connection, f"RELEASE SAVEPOINT {name}")

    engine.dialect.do_savepoint = begin  # type: ignore[method-assign] # the dialect's hooks for it
    engine.dialect.do_release_savepoint = release  # type: ignore[method-assign]


def _names(compiled: Any, lists: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of all parameters of a statement, those of lists with numbers."""
    for name in compiled.bind_names.values():
        if name in lists:
            yield from (f"{name}_{n + 1}" for n in range(len(lists[name])))
        else:
            yield name


def _parameter(compiled: Any, dialect: Dialect, name: str, index: tuple[str, int] | None) -> _Parameter:
    """Return a parameter by its compiled name; `index` has the name and the index of one of a list."""
    bind = compiled.binds[name if index is None else index[0]]
    convert = bind.type.dialect_impl(dialect).bind_processor(dialect)
    default = bind.value if bind.callable is None else bind.callable()
    if not isinstance(compiled.statement, Select):
        # Values that an insert or update leaves out: the models have only constant defaults.
        default = {column.key: column.default.arg for column in compiled.prefetch}.get(name, default)
    return _Parameter(name, bind.key if index is None else index[0], index and index[1], default, convert)


def from_database(kind: TypeEngine[Any], dialect: Dialect) -> Converter | None:
    """Return the function that converts a stored value of this type; None if values stay as they are."""
    if isinstance(kind, Float):
        return None  # both drivers return floats
    return kind.dialect_impl(dialect).result_processor(dialect, None)


class Plans:
    """The plans of one statement: by database and parameters and, for a select, by the lengths of lists.

    Plans for long lists are not kept, because lists can have any length.
    """

    def __init__(self, statement: Executable) -> None:
        self._statement, self._is_select = statement, isinstance(statement, Select)
        self._found: dict[tuple[object, ...], Plan] = {}

    def plan_for(self, dialect: Dialect, given: Mapping[str, Any]) -> Plan:
        """Return the plan for parameters like these."""
        key: tuple[object, ...] = (dialect.name, *given)
        lengths: dict[str, int] = {}
        if self._is_select:
            lengths = {name: len(value) for name, value in given.items() if isinstance(value, list | tuple)}
            key += tuple(lengths.items())
        plan = self._found.get(key)
        if plan is None:
            plan = Plan(self._statement, dialect, given)
            if sum(lengths.values()) <= _LONGEST_KEPT:
                self._found[key] = plan
        return plan

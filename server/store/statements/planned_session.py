"""A session that loads and updates rows by plans, and leaves everything else to SQLAlchemy.

Finding a row by its key takes SQLAlchemy twice as long as a plan.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, TypeVarTuple, cast

from sqlalchemy import ClauseElement, Dialect, bindparam, inspect, select, update
from sqlalchemy.orm import InstanceState, Mapped
from sqlalchemy.orm.attributes import instance_state, set_committed_value
from sqlalchemy.orm.base import NO_VALUE
from sqlalchemy.orm.exc import StaleDataError
from sqlalchemy.util import safe_reraise
from sqlmodel import Session, SQLModel

from server.store.statements.plans import Converter, Plans, from_database
from server.store.version_counters import raised_counters

_Model = TypeVar("_Model", bound=SQLModel)
_Models = TypeVarTuple("_Models")


class _Columns(NamedTuple):
    """The attributes of a model in the order of its columns, and how to convert stored values, by index."""

    names: tuple[str, ...]
    primary: tuple[int, ...]
    """The indexes of the key."""
    converters: dict[int, Converter]
    others: tuple[str, ...] = ()
    """The attributes of the columns that a statement leaves out."""

    def key(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """Return the key of a stored row."""
        given = [(self.converters.get(index), row[index]) for index in self.primary]
        return tuple([value if convert is None else convert(value) for convert, value in given])

    def values(self, row: Sequence[Any]) -> dict[str, Any]:
        """Return the values of a stored row by attribute."""
        found = dict(zip(self.names, row, strict=True))
        for index, convert in self.converters.items():
            found[self.names[index]] = convert(row[index])
        return found


_columns: dict[tuple[type[SQLModel], tuple[str, ...], str], _Columns] = {}


def _columns_of(model: type[SQLModel], names: tuple[str, ...], dialect: Dialect) -> _Columns:
    """Return the columns of a model with these attributes."""
    found = _columns.get((model, names, dialect.name))
    if found is None:
        mapper: Any = inspect(model)
        primary = tuple(names.index(name) for name in _primary(model))
        types = (mapper.columns[name].type for name in names)
        converters = ((index, from_database(each, dialect)) for index, each in enumerate(types))
        used = {index: convert for index, convert in converters if convert is not None}
        others = tuple(each.key for each in mapper.column_attrs if each.key not in names)
        found = _columns[model, names, dialect.name] = _Columns(names, primary, used, others)
    return found


class RowStatement(Generic[*_Models]):
    """A select of rows of models, which become objects of the session.

    It has no outer joins: each row contains a row of each model. Of a model with attributes in `only`, it reads
    these columns, which include the key; the session loads the others of a row if one of them is needed.
    """

    def __init__(self, statement: Any, only: Collection[Mapped[Any]] = ()) -> None:
        self._models = [(each["type"], _named(each["type"], only)) for each in statement.column_descriptions]
        columns = [inspect(model).columns[name] for model, names in self._models for name in names]
        self.statement = statement.with_only_columns(*columns)
        self._plans = Plans(self.statement)

    def __call__(
        self, session: Session, given: Mapping[str, Any], *, fresh: bool = False
    ) -> list[tuple[*_Models]]:
        """Return the rows. With `fresh`, rows that the session knows get their stored values."""
        session._autoflush()
        connection = session.connection()
        dialect = connection.dialect
        tables = [(model, _columns_of(model, names, dialect)) for model, names in self._models]
        found: list[tuple[*_Models]] = []
        for raw in self._plans.plan_for(dialect, given).run_raw(connection, given)[0]:
            row, start = [], 0
            for model, columns in tables:
                end = start + len(columns.names)
                row.append(_identify(session, model, columns, raw[start:end], fresh=fresh))
                start = end
            found.append(cast("tuple[*_Models]", tuple(row)))
        return found


def _named(model: type[SQLModel], only: Collection[Any]) -> tuple[str, ...]:
    """Return the names of the attributes of a model in `only`; all if there are none."""
    mapper: Any = inspect(model)
    chosen = {each.key for each in only if each.class_ is model}
    return tuple(each.key for each in mapper.column_attrs if not chosen or each.key in chosen)


def _identify(
    session: Session, model: type[_Model], columns: _Columns, stored: Sequence[Any], *, fresh: bool
) -> _Model:
    """Return the session's object for a stored row; a new one if the session has none."""
    identity = (model, columns.key(stored), None)
    known: _Model | None = session.identity_map.get(identity)
    if known is None:
        mapper: Any = inspect(model)
        row: _Model = mapper.class_manager.new_instance()
        row.__dict__.update(columns.values(stored))
        # As SQLAlchemy does when it loads a row; `session.add` takes many times as long.
        state = instance_state(row)
        state.key, state.session_id = identity, session.hash_key
        state.expired_attributes.update(columns.others)
        session.identity_map._add_unpresent(state, identity)
        return row
    state = instance_state(known)
    missing = state.expired_attributes - state.committed_state.keys()
    if fresh or missing:
        for name, value in columns.values(stored).items():
            if fresh or name in missing:
                set_committed_value(known, name, value)
    return known


@cache
def _primary(model: type[SQLModel]) -> tuple[str, ...]:
    """Return the attributes of a model's key."""
    mapper: Any = inspect(model)
    return tuple(mapper.get_property_by_column(column).key for column in mapper.primary_key)


@cache
def _by_key(model: type[SQLModel], lock: tuple[tuple[str, Any], ...] | None) -> RowStatement[SQLModel]:
    """Return the statement that finds a row by its key, and locks it."""
    table: Any = inspect(model)
    statement = select(model).where(
        *(column == bindparam(f"key{n}", type_=column.type) for n, column in enumerate(table.primary_key))
    )
    return RowStatement(statement if lock is None else statement.with_for_update(**dict(lock)))


class _Update(NamedTuple):
    """The update of a row: the attributes that changed, and the counters to raise."""

    row: SQLModel
    changed: tuple[str, ...]
    counters: tuple[str, ...]

    @property
    def key(self) -> tuple[Any, ...]:
        """The key of the row, which is known even if the row has to be loaded again."""
        state: Any = inspect(self.row)
        found: tuple[Any, ...] = state.identity
        return found

    @property
    def order(self) -> tuple[int, tuple[Any, ...]]:
        """The order among other updates: always the same, so that transactions lock rows in one order."""
        return _lock_order()[type(self.row)], self.key


@cache
def _lock_order() -> dict[type[SQLModel], int]:
    order = {table: number for number, table in enumerate(SQLModel.metadata.sorted_tables)}
    mappers = SQLModel._sa_registry.mappers
    return {mapper.class_: order[mapper.local_table] for mapper in mappers}  # type: ignore[index]


@lru_cache(maxsize=512)
def _updating(model: type[SQLModel], changed: tuple[str, ...], counters: tuple[str, ...]) -> Plans:
    """Return the plans of the statement that changes these columns of a row and raises these counters."""
    mapper: Any = inspect(model)
    columns = mapper.columns
    new = {columns[name]: bindparam(f"new_{name}", type_=columns[name].type) for name in changed}
    raised = {columns[name]: columns[name] + 1 for name in counters}
    key = (column == bindparam(f"key{n}", type_=column.type) for n, column in enumerate(mapper.primary_key))
    return Plans(update(mapper.local_table).where(*key).values(new | raised))


class PlannedSession(Session):
    """A session that finds rows by key, and writes changed rows, with plans.

    A flush with plans calls no listeners. It raises the counters that `raise_counters` raises in other flushes.
    """

    def get(self, entity: Any, ident: Any, **how: Any) -> Any:
        """Return the row with this key; None if there is none.

        The options `populate_existing` and `with_for_update` are handled here; a call with any other option, or
        with a key in another form, is passed on to SQLAlchemy.
        """
        more = any(how[name] for name in how.keys() - {"populate_existing", "with_for_update"})
        key = ident if isinstance(ident, tuple) else (ident,)
        fresh, lock = bool(how.get("populate_existing")), how.get("with_for_update") or None
        has_key = not isinstance(ident, dict | list) and None not in key and len(key) == len(_primary(entity))
        if more or not has_key:
            return super().get(entity, ident, **how)
        known = None if fresh or lock else self.identity_map.get((entity, key, None))
        if known is not None:
            return super().get(entity, ident) if inspect(known).expired else known
        asked = _by_key(entity, lock and (() if lock is True else tuple(lock.items())))
        found = asked(self, {f"key{n}": value for n, value in enumerate(key)}, fresh=fresh)
        return found[0][0] if found else None

    def flush(self, objects: Sequence[object] | None = None) -> None:
        """Write changed rows with plans; leave it to SQLAlchemy if rows are new or deleted."""
        if self._flushing or self._is_clean():
            super().flush(objects)
            return
        with self.no_autoflush:
            updates = None if objects or self.new or self.deleted else self._updates()
        if updates is None:
            super().flush(objects)
            return
        # As in SQLAlchemy's flush: after an error, the session refuses everything but a rollback.
        transaction, self._flushing = self._autobegin_t()._begin(), True
        try:
            self._write(updates)
            transaction.commit()
        except BaseException:
            with safe_reraise():
                transaction.rollback(_capture_exception=True)
        finally:
            self._flushing = False

    def _write(self, updates: Sequence[_Update]) -> None:
        connection = self.connection()
        for each in sorted(updates, key=lambda each: each.order):
            row = each.row
            given = {f"key{n}": value for n, value in enumerate(each.key)}
            given |= {f"new_{name}": getattr(row, name) for name in each.changed}
            plan = _updating(type(row), each.changed, each.counters).plan_for(connection.dialect, given)
            if plan.run(connection, given).rowcount != 1:
                raise StaleDataError(f"a row of {type(row).__name__} is gone")
        self._forget_changes(updates)

    def _updates(self) -> list[_Update] | None:
        """Return the updates that the changes need; None for changes that SQLAlchemy has to write."""
        rows = {id(row): (row, set[str]()) for row in self.dirty}
        for row, counter in raised_counters(self):
            rows.setdefault(id(row), (row, set()))[1].add(counter)
        found = []
        for row, counters in rows.values():
            model: type[SQLModel] = type(row)
            primary, now, changed = _primary(model), row.__dict__, []
            for name, before in inspect(row).committed_state.items():
                if name not in now or name in primary or isinstance(now[name], ClauseElement):
                    return None
                if name not in counters and (before is NO_VALUE or before != now[name]):
                    changed.append(name)
            if changed or counters:
                found.append(_Update(row, tuple(sorted(changed)), tuple(sorted(counters))))
        return found

    def _forget_changes(self, updates: Sequence[_Update]) -> None:
        """Note that all changes are in the transaction, as SQLAlchemy does at the end of its flush.

        Counters, which the database increased, are loaded again when they are needed.
        """
        self._register_altered([inspect(each.row) for each in updates])
        states = [(state, state.dict) for state in self.identity_map._modified]
        InstanceState._commit_all_states(states, self.identity_map)
        for each in updates:
            if each.counters:
                self.expire(each.row, each.counters)

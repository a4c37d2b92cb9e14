"""Statements that concern one game, and keys that would have to if the database were sharded by game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from sqlalchemy import Index, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlglot import exp, parse_one
from sqlmodel import SQLModel

_SCOPES = (exp.Select, exp.Insert, exp.Update, exp.Delete)
_Table = tuple[int, str]
"""The part of a statement that names a table, and what it calls it: parts may name the same table."""


def game_column(table: str) -> str:
    """The column that says to which game a row belongs."""
    return "id" if table == "game" else "game_id"


def unbound(statement: str) -> list[str]:
    """The tables of a statement of which it may take rows of more than one game, or of none, by name.

    A table is bound by `game_id = …` among the conditions that all hold, by being joined so to one that is
    bound, and by a row that is inserted with its game.
    """
    parsed = parse_one(statement, dialect="postgres")
    named = {_key(table): table.name for table in parsed.find_all(exp.Table)}
    bound = set(_inserted(parsed))
    rules = list(_rules(parsed, named))
    while more := {table for table, other in rules if other is None or other in bound} - bound:
        bound |= more
    return sorted({named[table] for table in named.keys() - bound})


def skips_locked(statement: str) -> bool:
    """Return whether it skips rows that others have locked."""
    return any(
        lock.args.get("wait") is False for lock in parse_one(statement, dialect="postgres").find_all(exp.Lock)
    )


def keys_without_game(distributed: Collection[str]) -> set[str]:
    """The keys of these tables that hold for the rows of all games together, as `table (column, column)`."""
    return {
        f"{name} ({', '.join(columns)})"
        for name in distributed
        for columns in _keys(SQLModel.metadata.tables[name])
        if game_column(name) not in columns
    }


def crossing_references(distributed: Collection[str], everywhere: Collection[str]) -> set[str]:
    """The foreign keys that lead to another shard, or from outside into one, as `table.column`.

    Those that lead to a table that is `everywhere` do not, nor those between rows of one game.
    """
    return {
        f"{table.name}.{key.parent.name}"
        for table in SQLModel.metadata.tables.values()
        for key in table.foreign_keys
        if (to := key.column.table.name) in distributed
        and not (table.name in distributed and key.parent.name == game_column(table.name) and to == "game")
    } | {
        f"{name}.{key.parent.name}"
        for name in distributed
        for key in SQLModel.metadata.tables[name].foreign_keys
        if key.column.table.name not in {*distributed, *everywhere}
    }


def _keys(table: Table) -> Iterator[list[str]]:
    unique = (each for each in table.constraints if isinstance(each, UniqueConstraint))
    indexes = (index for index in table.indexes if index.unique)
    keys: list[PrimaryKeyConstraint | UniqueConstraint | Index] = [table.primary_key, *unique, *indexes]
    for key in keys:
        yield [column.name for column in key.columns]


def _inserted(parsed: exp.Expr) -> Iterator[_Table]:
    """The table that a row is added to, together with its game."""
    if isinstance(parsed, exp.Insert) and isinstance(parsed.expression, exp.Values):
        table = parsed.this.this
        if game_column(table.name) in {column.name for column in parsed.this.expressions}:
            yield _key(table)


def _rules(parsed: exp.Expr, named: Mapping[_Table, str]) -> Iterator[tuple[_Table, _Table | None]]:
    """Each table whose rows are of one game, and the other table that says of which, if none is given.

    A condition within a part of a statement says nothing of the tables outside.
    """
    for scope, is_outer, one, other in _equal(parsed):
        table, by = _of_game(one, named), _of_game(other, named)
        is_given = not is_outer and other.find(exp.Column, exp.Select) is None
        if table is not None and table[0] == id(scope) and (is_given or by is not None):
            yield table, by


def _equal(parsed: exp.Expr) -> Iterator[tuple[exp.Expr, bool, exp.Expr, exp.Expr]]:
    """The columns that must be equal for a row to be found, in both orders; where, and if only for a join."""
    conditions: list[tuple[exp.Expr, exp.Expr, bool]]
    conditions = [(where, where.this, False) for where in parsed.find_all(exp.Where)]
    joins = (join for join in parsed.find_all(exp.Join) if "on" in join.args)
    conditions += [(join, join.args["on"], bool(join.side)) for join in joins]
    for place, condition, is_outer in conditions:
        scope = place.find_ancestor(*_SCOPES)
        for part in condition.flatten() if isinstance(condition, exp.And) else [condition]:
            if isinstance(part, exp.EQ) and scope is not None:
                yield scope, is_outer, part.this, part.expression
                yield scope, is_outer, part.expression, part.this


def _of_game(column: exp.Expr, named: Mapping[_Table, str]) -> _Table | None:
    """The table whose game this is; None for anything else."""
    scope = column.find_ancestor(*_SCOPES)
    while isinstance(column, exp.Column) and scope is not None:
        table = id(scope), column.table
        if table in named:
            return table if column.name == game_column(named[table]) else None
        scope = scope.find_ancestor(*_SCOPES)
    return None


def _key(table: exp.Table) -> _Table:
    return id(table.find_ancestor(*_SCOPES)), table.alias_or_name

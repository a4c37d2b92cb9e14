"""SQL that is compiled once for all tests of a process, though each has an engine of its own."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from server.store import db

_COMPILED: dict[Any, Any] = {}


def share_compiled() -> None:
    """Let engines find what another one has compiled, as one that runs for months finds its own.

    What is compiled is kept by dialect, and each engine has a new one: those of a sort become equal.
    """
    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        dialect.__eq__ = _is_of_one_sort  # type: ignore[method-assign]
        dialect.__hash__ = _hash_of_sort  # type: ignore[method-assign, assignment]
    db.create_engine = _create_engine  # type: ignore[attr-defined, assignment]


def _create_engine(url: str, **options: Any) -> Engine:
    return create_engine(url, execution_options={"compiled_cache": _COMPILED}, **options)


def _is_of_one_sort(dialect: object, other: object) -> bool:
    return type(dialect) is type(other)


def _hash_of_sort(dialect: object) -> int:
    return hash(type(dialect))

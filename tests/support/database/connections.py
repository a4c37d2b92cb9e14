"""Connections to the database that are lost in the middle of something."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.exc import OperationalError


@contextmanager
def lost_at(engine: Engine, words: str) -> Iterator[None]:
    """In this block a connection is lost at each statement that contains these words.

    PostgreSQL ends it; SQLite has no connections to lose, and says that it cannot open its file.
    """

    def lose(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if words not in statement:
            return
        if engine.dialect.name != "postgresql":
            raise OperationalError(statement, None, Exception("unable to open database file"))
        lost: Any = connection.connection.dbapi_connection
        with engine.connect() as another:
            another.execute(text("SELECT pg_terminate_backend(:lost, 10000)"), {"lost": lost.info.backend_pid})

    event.listen(engine, "before_cursor_execute", lose)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", lose)

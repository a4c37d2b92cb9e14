"""Databases of tests, which nobody has to read once the machine has lost its power."""

from __future__ import annotations

from typing import Any

from server.store import db

prepare_as_shipped = db._prepare_sqlite
"""What `server.store.db` does with each connection: see that the disk has what is committed, above all."""


def wait_for_none() -> None:
    """Let commits to SQLite return as soon as the system has them: nothing is lost if a process is killed."""
    db._prepare_sqlite = _prepare  # type: ignore[assignment]


def _prepare(patience: float, connection: Any, record: object) -> None:
    prepare_as_shipped(patience, connection, record)
    connection.execute("PRAGMA synchronous = OFF")

"""The disk that holds a SQLite database."""

import shutil
from pathlib import Path

from sqlalchemy import Connection, Engine

LEAST_FREE = 500_000_000
"""Bytes: with less free space, large emails are not stored and the administrator is alerted."""


def free_space(bind: Engine | Connection) -> int | None:
    """Return the free bytes on the disk of the SQLite file; None for PostgreSQL."""
    url = bind.engine.url
    if not url.drivername.startswith("sqlite") or not url.database:
        return None
    return shutil.disk_usage(Path(url.database).parent).free

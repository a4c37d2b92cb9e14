"""Everything that a database holds."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import text
from sqlmodel import SQLModel

from server.processes.services import Services


def everything_stored(services: Services) -> bytes:
    """Return the database as a person with a copy of it can read it: files and all columns of all tables."""
    found = []
    url = services.settings.database_url
    if url.startswith("sqlite"):
        file = Path(url.removeprefix("sqlite:///"))
        found = [path.read_bytes() for path in file.parent.glob(f"{file.name}*")]
    with services.engine.connect() as connection:
        for table in SQLModel.metadata.tables:
            for row in connection.execute(text(f"SELECT * FROM {table}")):  # noqa: S608 - names of our own
                found.extend(
                    bytes(cell) if isinstance(cell, bytes | memoryview) else str(cell).encode() for cell in row
                )
    return b"\n".join(found)

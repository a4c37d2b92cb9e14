"""Copies of the database of an earlier version, in SQLite or PostgreSQL, upgraded to this version.

See `tests/stored/test_stored.py` for the contents.
"""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

from server.processes.services import Services, open_services
from server.store import schema, snapshot
from server.store.engines import connect
from tests.support.server.services import Clock, settings_for

FOLDER = Path(__file__).parent
NAME = "2026-11"
FACTS: dict[str, Any] = json.loads((FOLDER / f"{NAME}.json").read_text(encoding="utf-8"))
"""Numbers of games and players in it, and addresses in its emails."""


def unpack(file: Path) -> None:
    """Write the stored database to a file."""
    with gzip.open(FOLDER / f"{NAME}.db.gz") as packed, file.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)


def open_copy(url: str, smtp_url: str, clock: Clock) -> Services:
    """Open services on a copy, with the stored key and addresses."""
    settings = settings_for(url, smtp_url=smtp_url, domain_rate=100000)
    return open_services(settings, clock)


def bring_up_to_date(url: str) -> None:
    """Upgrade the database, as `nabu db upgrade` does."""
    engine = connect(url)
    schema.upgrade(engine)
    engine.dispose()


def pour(file: Path, url: str) -> None:
    """Fill an empty database with all rows of the file, in its earlier schema."""
    engine = connect(url)
    snapshot.fill(engine, file)
    engine.dispose()

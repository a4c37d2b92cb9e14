"""Copies of what an earlier version stored: in SQLite or poured into PostgreSQL, and brought up to date.

`tests/stored/test_stored.py` tells what is in it.
"""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

from server.processes.services import Services, open_services
from server.store import schema, snapshot
from server.store.db import connect
from tests.support.server.services import Clock, settings_for

FOLDER = Path(__file__).parent
NAME = "2026-11"
FACTS: dict[str, Any] = json.loads((FOLDER / f"{NAME}.json").read_text(encoding="utf-8"))
"""What is where in it, and addresses that stand in mails of then."""


def unpack(file: Path) -> None:
    """Write the database to a file, as it was left then."""
    with gzip.open(FOLDER / f"{NAME}.db.gz") as packed, file.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)


def open_copy(url: str, smtp_url: str, clock: Clock) -> Services:
    """The services of then over a copy: the same key and the same addresses."""
    settings = settings_for(url, smtp_url=smtp_url, domain_rate=100000)
    return open_services(settings, clock)


def bring_up_to_date(url: str) -> None:
    """What `nabu db upgrade` does."""
    engine = connect(url)
    schema.upgrade(engine)
    engine.dispose()


def pour(file: Path, url: str) -> None:
    """Fill an empty database with all rows of the file, in the schema of then."""
    engine = connect(url)
    snapshot.fill(engine, file)
    engine.dispose()

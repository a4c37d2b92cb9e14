"""Services with the database of an earlier version, on SQLite and PostgreSQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from server.processes.services import Services
from server.store import snapshot
from server.store.engines import connect
from tests.stored.copies import FACTS, bring_up_to_date, open_copy, pour, unpack
from tests.support.database.postgres import Server
from tests.support.e2e.mailboxes import World, open_world
from tests.support.server.services import Clock, postgres

__all__ = ["postgres"]


@pytest.fixture(scope="session")
def left_behind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database file of the earlier version."""
    file = tmp_path_factory.mktemp("stored") / "left.db"
    unpack(file)
    return file


@pytest.fixture(scope="session")
def sqlite_stored(left_behind: Path) -> Path:
    """Return the file, upgraded to the schema of this version."""
    file = left_behind.with_name("stored.db")
    shutil.copy(left_behind, file)
    bring_up_to_date(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def postgres_stored(left_behind: Path, postgres: Server) -> str:
    """Return the name of a PostgreSQL database with the same rows, as a template."""
    name = postgres.make_database()
    pour(left_behind, postgres.url(name))
    bring_up_to_date(postgres.url(name))
    return name


@pytest.fixture(scope="session")
def moved_back(postgres: Server, postgres_stored: str, sqlite_stored: Path) -> Path:
    """Return a file that was copied from SQLite to PostgreSQL and back."""
    file = sqlite_stored.with_name("moved.db")
    engine = connect(postgres.url(postgres_stored))
    snapshot.snapshot(engine, file)
    engine.dispose()
    return file


@pytest.fixture(params=["sqlite"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a copy: SQLite or, if a test asks for it, PostgreSQL, or SQLite copied back."""
    if request.param != "postgresql":
        file: Path = request.getfixturevalue("sqlite_stored" if request.param == "sqlite" else "moved_back")
        shutil.copy(file, tmp_path / "nabu.db")
        yield f"sqlite:///{tmp_path}/nabu.db"
        return
    server: Server = request.getfixturevalue("postgres")
    name = server.make_database(request.getfixturevalue("postgres_stored"))
    yield server.url(name)
    server.drop_database(name)


@pytest.fixture
def clock() -> Clock:
    """Return a clock with the time of the stored database."""
    clock = Clock()
    clock.time = datetime.fromisoformat(FACTS["moment"])
    return clock


@pytest.fixture
def world_and_url() -> Iterator[tuple[World, str]]:
    """Provide a mail server that accepts everything, and its URL."""
    with open_world() as opened:
        yield opened


@pytest.fixture
def world(world_and_url: tuple[World, str]) -> World:
    """Return the mailboxes of all players."""
    return world_and_url[0]


@pytest.fixture
def services(database_url: str, clock: Clock, world_and_url: tuple[World, str]) -> Iterator[Services]:
    """Provide services with the stored key, addresses and time."""
    opened = open_copy(database_url, world_and_url[1], clock)
    yield opened
    opened.close()

"""Both databases, services and settings on each, and a clock that tests control."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import delete
from sqlmodel import SQLModel, select

from server.outbound.relay_health import MAIL_OUT
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store import schema
from server.store.db import connect, reading, writing
from server.store.models import Failure
from server.store.outbox import ActionContext
from tests.support.database.postgres import Server, running_server


class Clock:
    """The time, as the test says."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **step: float) -> None:
        """Let time pass: `advance(days=1)`."""
        self.time += timedelta(**step)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server for all tests of this run."""
    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_template(postgres: Server) -> str:
    """The name of a database with our tables, to be copied."""
    name = postgres.make_database()
    engine = connect(postgres.url(name))
    schema.upgrade(engine)
    engine.dispose()
    return name


def sqlite_database(folder: str | Path) -> str:
    """The URL of a fresh SQLite database with our tables, in a folder that has none."""
    file = Path(folder, "nabu.db")
    file.write_bytes(_migrated())
    return f"sqlite:///{file}"


@cache
def _migrated() -> bytes:
    """The file of a database with our tables: making it takes hundreds of times as long as copying it."""
    with TemporaryDirectory(prefix="nabu-sqlite-") as folder:
        file = Path(folder, "nabu.db")
        engine = connect(f"sqlite:///{file}")
        schema.upgrade(engine)
        engine.dispose()
        assert not Path(f"{file}-wal").exists(), "the file alone is not all of the database"
        return file.read_bytes()


@pytest.fixture
def database_url(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> Iterator[str]:
    """A fresh database with our tables, on "sqlite" or "postgresql" (see `tests/conftest.py`)."""
    if database == "sqlite":
        yield sqlite_database(tmp_path)
        return
    server: Server = request.getfixturevalue("postgres")
    template: str = request.getfixturevalue("postgres_template")
    with server.without_rows(template, SQLModel.metadata.tables) as name:
        yield server.url(name)


@pytest.fixture
def clock() -> Clock:
    """A clock that stands at noon on 1 March 2026 until the test moves it."""
    return Clock()


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Settings for services that listen nowhere unless the test starts them."""
    return settings_for(database_url)


def settings_for(database_url: str, **more: Any) -> Settings:
    """Settings for tests on this database; `more` are others, or other values."""
    given = {
        "secret_key": "k" * 32,
        # What is sent here comes from no domain that could vouch for it; `test_asked_back` is about that.
        "check_senders": "false",
        # Games are counted from 1 in most tests; `test_lessons` is about the one that waits for new players.
        "first_game": "false",
        "mail_domain": "games.example.org",
        "database_url": database_url,
        "smtp_listen": "127.0.0.1:0",
        "smtp_url": "smtp://127.0.0.1:9",
    }
    return Settings(**given | more)


@pytest.fixture
def services(settings: Settings, clock: Clock) -> Iterator[Services]:
    """Services on a fresh database, with the clock of the test.

    What fails in a job is put off, so that nothing else waits: here it has to come out. A relay that is not
    there is no such thing.
    """
    services = open_services(settings, clock)
    yield services
    with reading(services.engine) as session:
        assert session.exec(select(Failure.what).where(Failure.job != MAIL_OUT)).all() == []
    services.engine.dispose()


@pytest.fixture
def action(services: Services) -> Iterator[ActionContext]:
    """A transaction for the whole test, in which it acts; nothing else can write meanwhile."""
    with writing(services.engine) as session:
        yield ActionContext(session, services.sealer, services.now())


@pytest.fixture
def failures_meant(services: Services) -> Iterator[None]:
    """Forget the stored failures at the end of a test that causes them on purpose."""
    yield
    with writing(services.engine) as session:
        session.execute(delete(Failure))

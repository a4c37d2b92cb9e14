"""Both databases, services and settings for each, and a clock that tests control."""

from __future__ import annotations

import os
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
from server.store.db import writing
from server.store.engines import connect
from server.store.models import Failure
from server.store.outbox import ActionContext
from tests.support.database.postgres import Server, running_server

_GIVEN: dict[str, Any] = {
    "secret_key": "k" * 32,
    # No domain vouches for the senders in tests; `test_asked_back` is about senders.
    "check_senders": "false",
    # No guided game, because most tests expect game 1; `test_lessons` is about guided games.
    "first_game": "false",
    "mail_domain": "games.example.org",
    "smtp_listen": "127.0.0.1:0",
    "smtp_url": "smtp://127.0.0.1:9",
}
_FAILURES = select(Failure.what).where(Failure.job != MAIL_OUT)


class Clock:
    """A clock that the test sets."""

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
    """The name of a database with Nabu's tables, to be copied."""
    name = postgres.make_database()
    engine = connect(postgres.url(name))
    schema.upgrade(engine)
    engine.dispose()
    return name


def sqlite_database(folder: str | Path) -> str:
    """Create a SQLite database with Nabu's tables in an empty folder, and return its URL."""
    file = Path(folder, "nabu.db")
    file.write_bytes(_migrated())
    return f"sqlite:///{file}"


@cache
def _migrated() -> bytes:
    """Return the file of a database with Nabu's tables: copying is hundreds of times faster than migrating."""
    with TemporaryDirectory(prefix="nabu-sqlite-") as folder:
        file = Path(folder, "nabu.db")
        engine = connect(f"sqlite:///{file}")
        schema.upgrade(engine)
        engine.dispose()
        assert not Path(f"{file}-wal").exists(), "the database must be a single file"
        return file.read_bytes()


@pytest.fixture
def database_url(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> Iterator[str]:
    """A new database with Nabu's tables, on "sqlite" or "postgresql" (see `tests/conftest.py`)."""
    if database == "sqlite":
        yield sqlite_database(tmp_path)
        return
    server: Server = request.getfixturevalue("postgres")
    template: str = request.getfixturevalue("postgres_template")
    with server.without_rows(template, SQLModel.metadata.tables) as name:
        yield server.url(name)


@pytest.fixture
def clock() -> Clock:
    """A clock that shows noon on 1 March 2026 until the test changes it."""
    return Clock()


@pytest.fixture
def settings(database_url: str) -> Settings:
    """Settings for services that do not listen unless the test starts them."""
    return settings_for(database_url)


def settings_for(database_url: str, **more: Any) -> Settings:
    """Return settings for tests on this database; `more` adds or replaces values."""
    if more or not database_url.startswith("sqlite:///"):
        return Settings(**_GIVEN | {"database_url": database_url} | more)
    variables = tuple(each for each in os.environ.items() if each[0].startswith("NABU_"))
    return _usual_settings(variables).model_copy(update={"database_url": database_url})


@cache
def _usual_settings(_variables: tuple[tuple[str, str], ...]) -> Settings:
    """Return the settings of most tests, as thousands of tests need them; they depend on the variables."""
    return Settings(**_GIVEN, database_url="sqlite:///any.db")


def environment_of(settings: Settings) -> dict[str, str]:
    """Return the environment variables for `nabu` with these settings."""
    return {
        f"NABU_{name.upper()}": str(value) for name, value in settings.model_dump(exclude_defaults=True).items()
    }


@pytest.fixture
def services(settings: Settings, clock: Clock) -> Iterator[Services]:
    """Services on a new database, with the clock of the test.

    Nabu stores failures of jobs and goes on; here they fail the test. A missing relay is not a failure.
    """
    services = open_services(settings, clock)
    yield services
    assert_no_failures(services)
    services.engine.dispose()


def assert_no_failures(services: Services) -> None:
    """Assert that Nabu has stored no failure of a job."""
    with services.engine.connect() as connection:
        assert connection.execute(_FAILURES).all() == []


@pytest.fixture
def action(services: Services) -> Iterator[ActionContext]:
    """A transaction for the complete test; no other transaction can write meanwhile."""
    with writing(services.engine) as session:
        yield ActionContext(session, services.sealer, services.now())


@pytest.fixture
def failures_meant(services: Services) -> Iterator[None]:
    """Delete the stored failures at the end of a test that causes them deliberately."""
    yield
    with writing(services.engine) as session:
        session.execute(delete(Failure))

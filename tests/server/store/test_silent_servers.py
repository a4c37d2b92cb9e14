"""A PostgreSQL server that no longer answers: after a timeout, the next server is used."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from server.store.db import connect
from tests.support.database.postgres import Server

pytestmark = pytest.mark.slow


@pytest.fixture
def silent() -> Iterator[int]:
    """Provide the port of a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_the_other_one_is_found_soon(postgres: Server, silent: int) -> None:
    both = (
        f"host=127.0.0.1:{silent}&host={postgres.folder}:5432&target_session_attrs=read-write&connect_timeout=2"
    )
    engine = connect(f"postgresql+psycopg://{postgres.user}@/postgres?{both}")
    began = time.monotonic()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    assert time.monotonic() - began < 60
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "kept"), [("", {"connect_timeout": "10"}), ("&connect_timeout=3", {"connect_timeout": "3"})]
)
def test_a_connection_waits_for_seconds_or_as_the_url_says(
    postgres: Server, url: str, kept: dict[str, str]
) -> None:
    engine = connect(postgres.url("postgres") + url)
    with engine.connect() as connection:
        told = connection.connection.driver_connection.info.get_parameters()  # type: ignore[union-attr]
    engine.dispose()
    assert told["tcp_user_timeout"] == "20000"
    assert told["keepalives_idle"] == "10"
    assert {"connect_timeout": told["connect_timeout"]} == kept

"""A PostgreSQL server that no longer answers: after a timeout, the next server is used."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import quote

import pytest
from sqlalchemy import text

from server.processes.services import open_services
from server.store.db import reading
from server.store.engines import connect
from server.store.rollback import history
from tests.support.database.postgres import Server
from tests.support.machine.ports import free_port
from tests.support.server.services import settings_for

pytestmark = pytest.mark.slow


@pytest.fixture
def silent() -> Iterator[int]:
    """Provide the port of a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_other_server_is_found_soon(postgres: Server, silent: int) -> None:
    both = (
        f"host=127.0.0.1:{silent}&host={postgres.folder}:5432&target_session_attrs=read-write&connect_timeout=2"
    )
    engine = connect(f"postgresql+psycopg://{postgres.user}@/postgres?{both}")
    began = time.monotonic()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    assert time.monotonic() - began < 60
    engine.dispose()


def test_only_the_first_connection_waits_for_a_lost_host(
    postgres: Server, postgres_template: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "_LOOK", 3600.0)
    monkeypatch.setattr(history, "_CONNECT", 1)
    name = postgres.make_database(postgres_template)
    with socket.create_server(("127.0.0.1", 0)) as lost:
        hosts = f"host=127.0.0.1:{lost.getsockname()[1]}&host={postgres.folder}:5432&connect_timeout=1"
        services = open_services(settings_for(f"postgresql://{postgres.user}@/{name}?{hosts}"))
        for number in range(2):
            with reading(services.engine) as session:
                session.execute(text("SELECT 1"))
            services.engine.dispose()
            lost.setblocking(False)
            assert bool(connections(lost)) == (number == 0)
        services.close()
    postgres.drop_database(name)


def connections(server: socket.socket) -> int:
    """Return how many connections have arrived there since the last call."""
    number = 0
    with suppress(BlockingIOError):
        while True:
            server.accept()[0].close()
            number += 1
    return number


@pytest.mark.parametrize(
    "form",
    [
        "@127.0.0.1:{closed},{socket}:5432/postgres",
        "@127.0.0.1:{closed},{socket}/postgres?application_name=nabu",
        "@[::1]:{closed},{socket}/postgres",
        "@/postgres?host=127.0.0.1:{closed}&host={socket}:5432",
        "@/postgres?host=127.0.0.1,{socket}&port={closed},5432",
    ],
)
def test_of_several_hosts_the_one_that_accepts_writes_is_used(postgres: Server, form: str) -> None:
    place = form.format(closed=free_port(), socket=quote(str(postgres.folder), safe=""))
    engine = connect(settings_for(f"postgresql://{postgres.user}:PASSWORD{place}").database_url)
    with engine.connect() as connection:
        used = connection.connection.driver_connection.info  # type: ignore[union-attr]
        assert used.host == str(postgres.folder)
        assert used.get_parameters()["target_session_attrs"] == "read-write"
    engine.dispose()


@pytest.mark.parametrize(
    ("url", "kept"), [("", {"connect_timeout": "10"}), ("&connect_timeout=3", {"connect_timeout": "3"})]
)
def test_connect_timeout_has_a_default_or_the_value_of_the_url(
    postgres: Server, url: str, kept: dict[str, str]
) -> None:
    engine = connect(postgres.url("postgres") + url)
    with engine.connect() as connection:
        told = connection.connection.driver_connection.info.get_parameters()  # type: ignore[union-attr]
    engine.dispose()
    assert told["tcp_user_timeout"] == "20000"
    assert told["keepalives_idle"] == "10"
    assert {"connect_timeout": told["connect_timeout"]} == kept

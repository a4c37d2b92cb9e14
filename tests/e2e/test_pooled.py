"""Games work behind pgbouncer, which can give each transaction another session."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel

from server.settings import Settings
from server.store.engines import connect
from server.store.wakeups import is_pooled, wakes
from tests.support.database.pooler import pooled
from tests.support.database.postgres import Server
from tests.support.e2e.games_of_two import begin_by_email, stored_game
from tests.support.e2e.mailboxes import Person, World
from tests.support.e2e.nabu_process import start

pytestmark = pytest.mark.slow

MOVES = ("c3", "a1", "e5", "a5", "e1", "b2", "d4", "b4", "d2")


@pytest.fixture
def database_url(postgres: Server, postgres_template: str) -> Iterator[str]:
    """A database behind pgbouncer."""
    with (
        postgres.without_rows(postgres_template, SQLModel.metadata.tables) as name,
        pooled(postgres, name) as url,
    ):
        yield url


@pytest.mark.long
def test_game_by_email_through_pgbouncer(world: World, settings: Settings) -> None:
    several = [start(settings) for _ in range(2)]

    def person(address: str) -> Person:
        return Person(world, address, several[0].listener, settings.mail_domain)

    people = begin_by_email(person, "nebuchadnezzar", "size=5")
    for number, move in enumerate(MOVES):
        who, mail = people[number % 2]
        who.answer(mail, move)
        people = [(each, each.next()) for each, _ in people]
    assert [turn.body["line"]["move"] for turn in stored_game(settings)[1]] == list(MOVES)
    for nabu in several:
        nabu.stop()


def test_statements_are_not_prepared_for_one_session(database_url: str) -> None:
    engines = [connect(database_url) for _ in range(3)]
    held = [engine.connect() for engine in engines]
    for number in range(60):
        connection = held[number % 3]
        assert connection.execute(text("SELECT :number"), {"number": number}).scalar() == number
        connection.commit()
    for connection in held:
        connection.close()
    for engine in engines:
        engine.dispose()


def test_pooler_is_detected(
    database_url: str, postgres: Server, postgres_template: str, caplog: pytest.LogCaptureFixture
) -> None:
    for url, between in ((database_url, True), (postgres.url(postgres_template), False)):
        engine = connect(url)
        with engine.connect() as connection:
            own = connection.connection.driver_connection
            assert own is not None
            assert is_pooled(own) is between
            assert (own.prepare_threshold is None) is between
        engine.dispose()
    engine, stop = connect(database_url), threading.Event()
    listener = threading.Thread(target=lambda: list(wakes(engine, stop)))
    listener.start()
    stop.set()
    listener.join()
    engine.dispose()
    assert "no notifications from the database behind a pooler" in caplog.text

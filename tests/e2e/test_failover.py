"""The database server dies in the middle of games and its replica takes over: Nabu continues without help."""

from __future__ import annotations

import smtplib
import threading
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlmodel import select

from server.game.integrity.log_check import check, numbers_of_games
from server.processes.services import open_services
from server.settings import Settings
from server.store import schema
from server.store.db import reading
from server.store.engines import connect
from server.store.keys.sealing import Sealer
from server.store.models import Inbox
from server.store.rollback import history
from server.store.rollback.history import OlderDatabase
from tests.support.database.patroni import Cluster, running_cluster
from tests.support.database.replicas import Pair, running_pair
from tests.support.e2e.games_of_two import begin_by_email, stored_game
from tests.support.e2e.mailboxes import Person, World
from tests.support.e2e.nabu_process import Running, start
from tests.support.machine.waiting import await_that
from tests.support.server.services import settings_for

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]

MOVES = ("c3", "a1", "e5", "a5", "e1", "b2", "d4", "b4", "d2")
AFTER = 5
"""The number of moves after which the first server dies."""


@pytest.fixture
def pair() -> Iterator[Pair]:
    with running_pair() as found:
        engine = connect(found.url)
        schema.upgrade(engine)
        engine.dispose()
        yield found


@pytest.fixture
def settings(pair: Pair, outside: tuple[World, str]) -> Settings:
    return settings_for(pair.url, smtp_url=outside[1], delivery_lease=1, domain_rate=1_000_000)


class Chatter:
    """A person who writes all the time, and notes which of their emails were acknowledged."""

    def __init__(self, nabu: Running) -> None:
        self._nabu = nabu
        self.acknowledged: list[int] = []
        self.refused = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._write)

    def __enter__(self) -> Chatter:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def await_acknowledged(self, more: int) -> None:
        """Wait until this many more emails are acknowledged."""
        before = len(self.acknowledged)
        await_that(lambda: len(self.acknowledged) >= before + more)

    def _write(self) -> None:
        number = 0
        while not self._stopped.wait(0.1):
            number += 1
            mail = f"From: eve@example.org\r\nSubject: x\r\nMessage-ID: <{number}@eve.test>\r\n\r\nhelp\r\n"
            try:
                with smtplib.SMTP(*self._nabu.listener, timeout=60) as server:
                    server.sendmail("eve@example.org", ["play@games.example.org"], mail)
            except OSError:  # errors of smtplib are of this class, too
                self.refused += 1
            else:
                self.acknowledged.append(number)


def test_games_continue_on_the_replica_when_the_old_primary_returns(
    pair: Pair, settings: Settings, world: World
) -> None:
    """The old one is the first host of the URL, accepts writes, and lacks the moves since then."""
    nabu = start(settings)
    people = begin_by_email(
        lambda address: Person(world, address, nabu.listener, settings.mail_domain), "nebuchadnezzar", "size=5"
    )
    for number, move in enumerate(MOVES):
        if number == AFTER:
            pair.lose_the_first()
        if number == AFTER + 2:
            pair.start_the_first_again()
            nabu.stop()
            nabu = start(settings)
            for who, _ in people:
                who.server = nabu.listener
        who, mail = people[number % 2]
        send_until_taken(who, mail, move)
        people = [(each, each.next()) for each, _ in people]
    nabu.stop()
    turns = "SELECT count(*) FROM entry WHERE turn IS NOT NULL"
    assert pair.say(pair.second, turns) == [len(MOVES)]
    assert pair.say(pair.first, turns) == [AFTER]


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as found:
        engine = connect(settings_for(found.url()).database_url)
        schema.upgrade(engine)
        engine.dispose()
        yield found


def test_patroni_replaces_a_lost_leader_which_returns_as_standby(
    cluster: Cluster, outside: tuple[World, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(cluster.url(), smtp_url=outside[1], delivery_lease=1, domain_rate=1_000_000)
    nabu = start(settings)
    people = begin_by_email(
        lambda address: Person(outside[0], address, nabu.listener, settings.mail_domain),
        "nebuchadnezzar",
        "size=5",
    )
    with Chatter(nabu) as eve:
        for number, move in enumerate(MOVES):
            if number == AFTER:
                eve.await_acknowledged(5)
                cluster.first.lose()
            if number == AFTER + 2:
                monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
                assert_the_old_leader_is_refused(cluster, settings)
                cluster.first.start()
                await_that(lambda: cluster.first.is_as("synchronous"))
            who, mail = people[number % 2]
            send_until_taken(who, mail, move)
            people = [(each, each.next()) for each, _ in people]
        eve.await_acknowledged(5)
    nabu.stop()
    assert [turn.body["line"]["move"] for turn in stored_game(settings)[1]] == list(MOVES)
    services = open_services(settings)
    assert not any(check(services.engine, services.sealer, each) for each in numbers_of_games(services.engine))
    stored = stored_mails(services.engine)
    services.close()
    assert set(eve.acknowledged) <= set(stored)
    assert len(stored) == len(set(stored))
    [written] = cluster.second.say("SELECT pg_current_wal_lsn()")
    await_that(lambda: cluster.first.say(f"SELECT pg_last_wal_replay_lsn() >= '{written}'") == [True])
    for machine in (cluster.first, cluster.second):
        assert machine.say("SELECT count(*) FROM entry WHERE turn IS NOT NULL") == [len(MOVES)]


def assert_the_old_leader_is_refused(cluster: Cluster, settings: Settings) -> None:
    """Start its PostgreSQL without Patroni, and use both from a machine that remembers what it has seen."""
    with cluster.first.without_patroni():
        assert cluster.first.say("SELECT pg_is_in_recovery()") == [False]
        both = open_services(settings)
        with reading(both.engine) as session:
            assert session.execute(text("SELECT inet_server_port()")).scalar() == cluster.second.port
            told = history.split(session.connection())
        both.close()
        assert told.startswith("several database servers accept writes: ")
        assert f"Nabu uses 127.0.0.1:{cluster.second.port}, the newest" in told
        only = open_services(settings_for(cluster.url(cluster.first)))
        with pytest.raises(OlderDatabase), reading(only.engine) as session:
            session.execute(text("SELECT 1"))
        only.close()


def send_until_taken(who: Person, mail: EmailMessage, move: str) -> None:
    """Send an email like mail servers do: retry after temporary failures."""
    answer = who.answer_to(mail, move)
    deadline = time.monotonic() + 60
    while True:
        try:
            who.send(answer)
        except smtplib.SMTPException:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        else:
            return


def stored_mails(engine: Engine) -> list[int]:
    """Return the numbers of Eve's stored emails."""
    sealer = Sealer(("k" * 32,))
    with reading(engine) as session:
        sealed = session.exec(select(Inbox.sealed).where(Inbox.mail_from == "eve@example.org")).all()
    raw = [sealer.open(each or b"").decode() for each in sealed]
    return [int(each.partition("Message-ID: <")[2].partition("@")[0]) for each in raw]

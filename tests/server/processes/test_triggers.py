"""Processes notice commits of others, so that checking once an hour suffices."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from server.game.computer import inquiries
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.outbound.letters.help import HelpAccount
from server.processes import triggers
from server.processes.computer_process import Computers
from server.processes.services import Services, open_services
from server.processes.triggers import TaskRunner
from server.processes.worker import Worker
from server.settings import Settings
from server.store.db import reading, writing
from server.store.models import Game, Inquiry, Outbox, Player
from server.store.outbox import ActionContext
from tests.support.e2e.mailboxes import PATIENCE, open_world
from tests.support.e2e.nabu_process import Here
from tests.support.machine.waiting import await_that
from tests.support.server.computer_players import begin_solo, challenge, owing, seat_of, shorten_hints
from tests.support.server.players import add_player

pytestmark = [pytest.mark.both, pytest.mark.slow]

HOUR = 3600.0
LISTENERS = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"


@pytest.fixture
def real(settings: Settings) -> Iterator[Services]:
    """Return services with a running clock, and a relay for their emails."""
    with open_world() as (_, url):
        services = open_services(settings.model_copy(update={"smtp_url": url}))
        yield services
        services.close()


@contextmanager
def running(part: Worker | Computers | TaskRunner) -> Iterator[None]:
    part.start()
    try:
        yield
    finally:
        part.stop()


def put(services: Services) -> None:
    with writing(services.engine) as session:
        ActionContext(session, services.sealer, services.now()).put("ann@example.org", HelpAccount())


def is_sent(services: Services) -> bool:
    with reading(services.engine) as session:
        return session.exec(select(Outbox.id).where(col(Outbox.state) == "queued")).first() is None


def test_email_is_sent_when_it_is_queued(real: Services, settings: Settings) -> None:
    other = open_services(settings)
    with running(Worker(real, poll=HOUR)):
        for services in (other, real, other):
            put(services)
            await_that(lambda: is_sent(real))
            time.sleep(2 * triggers.MIN_INTERVAL)  # a process that has checked again by now finds nothing
    other.close()


@pytest.mark.long
def test_computer_players_move_and_answer_when_triggered(
    real: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten_hints(monkeypatch)
    ann = add_player(real, "ann@example.org", "Ann")
    with running(Computers(real, poll=HOUR, make=Here)):
        time.sleep(2 * triggers.MIN_INTERVAL)
        challenge(real, ann, 1)
        number = begin_solo(real, ann, "nebuchadnezzar", size=4)
        await_that(lambda: not owing(real))
        time.sleep(2 * triggers.MIN_INTERVAL)
        _move(real, ann, number)
        await_that(lambda: not owing(real))
        time.sleep(2 * triggers.MIN_INTERVAL)
        with writing(real.engine) as session:
            action = ActionContext(session, real.sealer, real.now())
            target = Target(number, seat_of(real, number, ann), session.get_one(Game, number).turn)
            inquiries.ask_hint(action, ann, target, by_mail=False)
        await_that(lambda: _is_answered(real))


def _move(services: Services, player: Player, number: int) -> None:
    """Move at the game's page, so that no email is sent."""
    with writing(services.engine) as session:
        game, seat = session.get_one(Game, number), seat_of(services, number, player)
        rules, action = (
            log.rules_of(game),
            ActionContext(session, services.sealer, services.now(), visitor=player.id),
        )
        text = rules.format(rules.sample(log.position_of(game), seat, lambda most: 0))
        moves.submit(action, player, Target(number, seat, game.turn), text)


def _is_answered(services: Services) -> bool:
    with reading(services.engine) as session:
        return session.exec(select(Inquiry)).one().answer is not None


@pytest.mark.parametrize("database", ["postgresql"])
def test_email_is_sent_although_the_listening_connection_broke(real: Services) -> None:
    with running(Worker(real, poll=HOUR)):
        await_that(lambda: len(_listeners(real)) == 1)
        (listener,) = _listeners(real)
        with real.engine.connect() as connection:
            connection.execute(text(f"SELECT pg_terminate_backend({listener})"))
        await_that(lambda: listener not in _listeners(real))
        put(real)
        await_that(lambda: is_sent(real))


def _listeners(services: Services) -> list[int]:
    with services.engine.connect() as connection:
        return list(connection.execute(text(f"SELECT pid {LISTENERS}")).scalars())


def test_task_triggered_while_it_runs_runs_once_more(real: Services) -> None:
    began, go_on, times = threading.Semaphore(0), threading.Semaphore(0), []

    def work() -> None:
        times.append(1)
        began.release()
        go_on.acquire(timeout=PATIENCE)

    runner = TaskRunner(real.engine)
    runner.add("work", HOUR, work, rest=0)
    with running(runner):
        for _ in range(3):
            assert began.acquire(timeout=PATIENCE)
            put(real)
            time.sleep(0.1)
            go_on.release()
        assert began.acquire(timeout=PATIENCE)
        go_on.release(10)
    assert len(times) >= 4


def test_only_tasks_that_react_to_commits_are_triggered(real: Services) -> None:
    deaf, ran = [], threading.Semaphore(0)
    runner = TaskRunner(real.engine)
    runner.add("deaf", HOUR, lambda: deaf.append(1), on_commit=False)
    runner.add("work", HOUR, ran.release, rest=0)
    with running(runner):
        for _ in range(3):
            assert ran.acquire(timeout=PATIENCE)
            put(real)
        await_that(lambda: deaf)
    assert len(deaf) == 1

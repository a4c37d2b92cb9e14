"""Two workers over one database, killed at any point: each deadline is handled exactly once."""

from __future__ import annotations

import contextlib
import os
import random
import signal
from collections import Counter
from datetime import datetime, timedelta
from itertools import count
from multiprocessing.context import ForkServerProcess

import pytest
from sqlalchemy import event, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, func, select

from server.accounts import players
from server.game.lobby import challenges
from server.game.log import log
from server.jobs.table import CLOCK
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading, writing
from server.store.models import Entry, Game, Outbox
from server.store.outbox import ActionContext
from tests.support.forks import FORKS
from tests.support.server.jobs import work_of
from tests.support.server.services import Clock

pytestmark = pytest.mark.both

GAMES = 20
WORKERS = 2
MOST_POINTS = 100
"""Statements and commits until a worker dies; a game takes about 20."""


def keep_time(settings: dict[str, object], now: datetime, die_at: int) -> None:
    """Run a worker that handles only deadlines, until it kills itself at a statement or commit."""
    services = open_services(Settings(**settings))  # type: ignore[arg-type]
    points = count(1)

    def reach(*_: object) -> None:
        if next(points) == die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(services.engine, "before_cursor_execute", reach)
    event.listen(services.engine, "commit", reach)
    while True:
        with contextlib.suppress(DBAPIError):  # failed jobs are retried, as in the real worker
            CLOCK.run(work_of(services, lambda: now))


@pytest.mark.long
def test_two_workers_act_once_on_each_deadline(services: Services, clock: Clock) -> None:
    begin_games(services)
    late = clock() + timedelta(days=3, hours=2)
    chance = random.Random(5)
    deaths = 0
    while still_running(services):
        workers = [start(services, late, chance.randrange(1, MOST_POINTS)) for _ in range(WORKERS)]
        for worker in workers:
            worker.join()
            assert worker.exitcode == -signal.SIGKILL
            deaths += 1
    assert deaths >= 2 * WORKERS
    assert_each_ended_once(services)


def start(services: Services, now: datetime, die_at: int) -> ForkServerProcess:
    """Start a worker that will die."""
    worker = FORKS.Process(target=keep_time, args=(services.settings.model_dump(), now, die_at), daemon=True)
    worker.start()
    return worker


def begin_games(services: Services) -> None:
    """Start many games and deliver all their email."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann = players.register(action, "ann@example.org", "Ann")
        ben = players.register(action, "ben@example.org", "Ben")
        for _ in range(GAMES):
            game = challenges.challenge(action, ann, [ben], "nebuchadnezzar", {"size": 5})
            challenges.accept(action, ben, log.id_of(game))
        session.execute(update(Outbox).values(state="sent", sent_at=Outbox.created_at))


def still_running(services: Services) -> int:
    with reading(services.engine) as session:
        return session.exec(select(func.count()).select_from(Game).where(col(Game.state) == "running")).one()


def assert_each_ended_once(services: Services) -> None:
    """Check that each game has one time-out, one end, and one last report to each player."""
    with reading(services.engine) as session:
        bodies = list(session.exec(select(Entry.game_id, Entry.body)))
        reports = session.exec(
            select(Outbox.game_id).where(Outbox.letter == "report", Outbox.state == "queued")
        )
        mailed = Counter(reports)
    ends = Counter(game for game, body in bodies if body["type"] == "end")
    leaves = Counter(game for game, body in bodies if body.get("line", {}).get("leave") == "timeout")
    assert len(ends) == GAMES
    assert set(ends.values()) == set(leaves.values()) == {1}
    assert set(mailed.values()) == {2}

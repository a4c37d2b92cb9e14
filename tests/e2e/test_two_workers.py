"""Two workers over one database, killed at random: each deadline is acted on exactly once."""

from __future__ import annotations

import multiprocessing
import multiprocessing.synchronize
import random
import time
from collections import Counter
from datetime import datetime, timedelta
from multiprocessing.context import ForkServerProcess

from sqlalchemy import update
from sqlmodel import col, func, select

from server import lobby, players
from server.chores import timekeeping
from server.db import reading, writing
from server.game import log
from server.models import Entry, Game, Outbox
from server.office import Office, open_office
from server.outbox import Post
from server.settings import Settings
from tests.offices import Clock

GAMES = 40
WORKERS = 2
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.e2e.running", "tests.e2e.test_two_workers", "server.web"])


def keep_time(settings: dict[str, object], now: datetime, working: multiprocessing.synchronize.Event) -> None:
    """A worker that does nothing but keep time, until it is killed."""
    office = open_office(Settings(**settings))  # type: ignore[arg-type]
    working.set()
    while True:
        timekeeping.tick(office.engine, office.vault, lambda: now)
        time.sleep(0.01)


def test_each_deadline_is_acted_on_once(office: Office, clock: Clock) -> None:
    begin_games(office)
    late = clock() + timedelta(days=3, hours=2)
    chance = random.Random(5)
    deaths, end = 0, time.monotonic() + 120
    while still_running(office):
        assert time.monotonic() < end, "the deadlines are not acted on"
        workers = [start(office, late) for _ in range(WORKERS)]
        for worker in workers:
            time.sleep(chance.random() * 0.15)
            worker.kill()
            worker.join()
            deaths += 1
    assert deaths >= 2 * WORKERS
    assert_each_ended_once(office)


def start(office: Office, now: datetime) -> ForkServerProcess:
    """A worker that has begun to work."""
    working = _context.Event()
    worker = _context.Process(target=keep_time, args=(office.settings.model_dump(), now, working), daemon=True)
    worker.start()
    assert working.wait(30)
    return worker


def begin_games(office: Office) -> None:
    """Many games, all mail delivered."""
    with writing(office.engine) as session:
        post = Post(session, office.vault, office.now())
        ann = players.register(post, "ann@example.org", "Ann")
        ben = players.register(post, "ben@example.org", "Ben")
        for _ in range(GAMES):
            game = lobby.challenge(post, ann, [ben], "nebuchadnezzar", {"size": 5})
            lobby.accept(post, ben, log.identity(game))
        session.execute(update(Outbox).values(state="sent", sent_at=Outbox.created_at))


def still_running(office: Office) -> int:
    with reading(office.engine) as session:
        return session.exec(select(func.count()).select_from(Game).where(col(Game.state) == "running")).one()


def assert_each_ended_once(office: Office) -> None:
    """One time-out, one end, and one last report to each player of each game."""
    with reading(office.engine) as session:
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

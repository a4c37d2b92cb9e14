"""What a tick of the clock costs, by the number of games in the database and of those that are due."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, func, insert, update
from sqlmodel import Session, col, select

from server.accounts import players
from server.bench.harness.mail_processes import settings_for
from server.game.lobby import challenges
from server.game.log import log
from server.jobs.job import Work
from server.jobs.table import CLOCK
from server.store import db, schema
from server.store.db import writing
from server.store.keys.sealing import Sealer
from server.store.models import Entry, Game, Heartbeat, Outbox, Seat
from server.store.outbox import ActionContext

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_BATCH = 10_000
_TICKS = 200


@contextmanager
def filled(games: int) -> Iterator[Engine]:
    """A SQLite database with this many running games, in each of which a move is owed but not due."""
    with tempfile.TemporaryDirectory() as folder:
        engine = db.connect(f"sqlite:///{Path(folder) / 'nabu.db'}")
        schema.upgrade(engine)
        sealer = Sealer(("k" * 32,))
        with writing(engine) as session:
            _copy(session, _begin_one(session, sealer), games - 1)
        yield engine
        engine.dispose()


def idle(engine: Engine) -> float:
    """Seconds for a tick with nothing due: the best of many."""
    work = _work(engine)
    CLOCK.run(work)
    return min(_timed(work) for _ in range(_TICKS))


def busy(engine: Engine, due: int) -> float:
    """Seconds for a tick that ends `due` games."""
    with writing(engine) as session:
        numbers = select(Game.id).where(Game.state == "running").limit(due)
        late = update(Seat).where(col(Seat.game_id).in_(numbers), col(Seat.owes).is_(True))
        session.execute(late.values(grace_until=NOW))
        began = update(Game).where(col(Game.id).in_(numbers))
        session.execute(began.values(turn_began_at=NOW - timedelta(days=30)))
        session.execute(update(Heartbeat).values(at=NOW))
    return _timed(_work(engine))


def ended(engine: Engine) -> int:
    """How many games are over."""
    with db.reading(engine) as session:
        return session.exec(select(func.count()).select_from(Game).where(col(Game.state) == "over")).one()


def _timed(work: Work) -> float:
    start = time.perf_counter()
    CLOCK.run(work)
    return time.perf_counter() - start


def _work(engine: Engine) -> Work:
    return Work(engine, Sealer(("k" * 32,)), lambda: NOW, settings_for(str(engine.url), ("127.0.0.1", 1)))


def _begin_one(session: Session, sealer: Sealer) -> Game:
    """A game that has begun, with all its mail delivered."""
    action = ActionContext(session, sealer, NOW)
    ann = players.register(action, "ann@example.org", "Ann")
    ben = players.register(action, "ben@example.org", "Ben")
    game = challenges.challenge(action, ann, [ben], "nebuchadnezzar", {"size": 5, "time": "7d"})
    challenges.accept(action, ben, log.id_of(game))
    for player in (ann, ben):
        player.reminders = "none"
    session.execute(update(Outbox).values(state="sent", sent_at=NOW))
    return game


def _copy(session: Session, game: Game, copies: int) -> None:
    """This many copies of the game."""
    session.flush()
    like = game.model_dump(exclude={"id", "checksum"})
    entries = [entry.model_dump(exclude={"game_id"}) for entry in log.entries(session, game)]
    seats = [seat.model_dump(exclude={"game_id"}) | {"remind_at": None} for seat, _ in log.seats(session, game)]
    first = log.id_of(game) + 1
    for start in range(first, first + copies, _BATCH):
        numbers = range(start, min(start + _BATCH, first + copies))
        session.execute(insert(Game), [{**like, "id": number} for number in numbers])
        for table, rows in ((Seat, seats), (Entry, entries)):
            session.execute(insert(table), [{**row, "game_id": number} for number in numbers for row in rows])

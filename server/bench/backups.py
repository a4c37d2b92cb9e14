"""Measure a backup of a PostgreSQL database full of games, and each part of restoring it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import TypeVar

from server.backup.archive import DATABASE, BackupKey, unpack
from server.backup.making import make, size_of
from server.bench.filling.many_games import full
from server.bench.growth import GrowthCost
from server.bench.harness.databases import new_database
from server.game.integrity import log_check
from server.processes.services import Services
from server.store import db, snapshot

_SAMPLE = 1000
"""The number of games that are checked."""

_Done = TypeVar("_Done")


@dataclass(frozen=True)
class Costs:
    """Sizes in bytes, and the time of each part; `checking` is the time for one game."""

    database: int
    file: int
    making: GrowthCost
    unpacking: GrowthCost
    filling: GrowthCost
    checking: GrowthCost


def run(games: int, server: str) -> Costs:
    """Back up a PostgreSQL database with this many games, and restore it into another database there."""
    with TemporaryDirectory(prefix="nabu-bench-") as folder:
        with new_database(server) as url, full(url, games) as filled:
            services = filled.services
            database = size_of(services.engine)
            file, making = _timed(lambda: make(services.engine, Path(folder), services.now()))
            checked = _check(services)
        _, unpacking = _timed(lambda: unpack(file, BackupKey(), Path(folder)))
        with new_database(server) as url:
            engine = db.connect(url)
            _, filling = _timed(lambda: snapshot.fill(engine, Path(folder, DATABASE)))
            engine.dispose()
        return Costs(database, file.stat().st_size, making, unpacking, filling, checked)


def _check(services: Services) -> GrowthCost:
    """Return the time for checking a game; only complete games are checked, as copies with dice are not."""
    taken = []
    for number in islice(log_check.numbers_of_games(services.engine), _SAMPLE):
        finding, cost = _timed(partial(log_check.check, services.engine, services.sealer, number))
        if not finding:
            taken.append(cost)
    return GrowthCost(mean(each.clock for each in taken), mean(each.processor for each in taken))


def _timed(do: Callable[[], _Done]) -> tuple[_Done, GrowthCost]:
    began, busy = time.perf_counter(), time.process_time()
    done = do()
    return done, GrowthCost(time.perf_counter() - began, time.process_time() - busy)

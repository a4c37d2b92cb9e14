"""What a backup of a PostgreSQL full of games takes, and the parts of restoring it."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import TypeVar

from server.backup.archive import DATABASE, Key, unpack
from server.backup.making import make, size_of
from server.bench import growth
from server.bench.databases import new_database
from server.game import checking
from server.processes.services import Services
from server.store import copying, db

_SAMPLE = 1000
"""Games that are checked."""

_Done = TypeVar("_Done")


@dataclass(frozen=True)
class Costs:
    """Sizes in bytes, times in seconds by the clock; `checking` is that of one game."""

    database: int
    file: int
    making: float
    unpacking: float
    filling: float
    checking: float


def run(games: int, server: str) -> Costs:
    """Back up so many games of a PostgreSQL, and put them into another database there."""
    with TemporaryDirectory(prefix="nabu-bench-") as folder:
        with new_database(server) as url, growth.full(url, games) as filled:
            services = filled.services
            database = size_of(services.engine)
            file, making = _timed(lambda: make(services.engine, Path(folder), services.now()))
            checked = _check(services)
        _, unpacking = _timed(lambda: unpack(file, Key(), Path(folder)))
        with new_database(server) as url:
            engine = db.connect(url)
            _, filling = _timed(lambda: copying.fill(engine, Path(folder, DATABASE)))
            engine.dispose()
        return Costs(database, file.stat().st_size, making, unpacking, filling, checked)


def _check(services: Services) -> float:
    """How long it takes to check a game: of those that are whole, as copies with dice are not."""
    taken = []
    for number in islice(checking.numbers_of_games(services.engine), _SAMPLE):
        finding, seconds = _timed(partial(checking.check, services.engine, services.sealer, number))
        if not finding:
            taken.append(seconds)
    return mean(taken)


def _timed(do: Callable[[], _Done]) -> tuple[_Done, float]:
    began = time.perf_counter()
    done = do()
    return done, time.perf_counter() - began

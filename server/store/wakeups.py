"""Wake a process that waits for work when another process commits some.

With SQLite, the process polls a counter, which takes microseconds. With PostgreSQL, it listens for the
notifications of `db.wake`. Both may miss a commit, and behind pgbouncer there are no notifications, so the
caller also has to check from time to time.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from sqlalchemy import Engine

from server.store.db import CHANNEL, is_pooled

logger = logging.getLogger(__name__)

_LOOK = 0.01
"""Seconds between two polls of SQLite."""
_WAIT = 0.25
"""Seconds after which a PostgreSQL listener checks whether to stop."""


def wakes(engine: Engine, stop: threading.Event) -> Iterator[None]:
    """Yield once when listening, and then after each commit that may contain work, until `stop` is set.

    A commit while the caller is busy leads to another wake. Database errors are raised.
    """
    pooled = engine.raw_connection()
    own: Any = pooled.driver_connection
    pooled.detach()  # keep the connection out of the pool while listening
    with closing(pooled):
        yield from _listen(own, stop) if engine.dialect.name == "postgresql" else _ask(own, stop)


def _ask(connection: Any, stop: threading.Event) -> Iterator[None]:
    known = None
    while not stop.is_set():
        version = connection.execute("PRAGMA data_version").fetchone()
        if version != known:
            known = version
            yield
        time.sleep(_LOOK)  # cheaper than waiting for `stop`


def _listen(connection: Any, stop: threading.Event) -> Iterator[None]:
    if is_pooled(connection):
        logger.warning("no notifications from the database behind a pooler: checking for work once a second")
        stop.wait()
        return
    connection.autocommit = True
    connection.execute(f"LISTEN {CHANNEL}")
    yield
    while not stop.is_set():
        if list(connection.notifies(timeout=_WAIT, stop_after=1)):
            yield

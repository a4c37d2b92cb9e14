"""How a process that waits for work hears that another has committed some.

SQLite says so to whoever asks, in microseconds. PostgreSQL tells whoever listens of what `db.wake` has marked.
Neither is certain to be heard, and nothing is by way of pgbouncer, so whoever waits also looks now and then.
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
"""Seconds between two questions whether somebody has written to SQLite."""
_WAIT = 0.25
"""Seconds after which a listener to PostgreSQL looks whether it is to stop."""


def wakes(engine: Engine, stop: threading.Event) -> Iterator[None]:
    """Yields once when it listens, and then soon after each time that there may be work, until `stop` is set.

    What is committed while the receiver is busy with one wake leads to another. Fails as the database does.
    """
    pooled = engine.raw_connection()
    own: Any = pooled.driver_connection
    pooled.detach()  # it is kept for as long as this listens, and nobody else gets it
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
        logger.warning("the database is behind a pooler and cannot tell of work: it is looked at once a second")
        stop.wait()
        return
    connection.autocommit = True
    connection.execute(f"LISTEN {CHANNEL}")
    yield
    while not stop.is_set():
        if list(connection.notifies(timeout=_WAIT, stop_after=1)):
            yield

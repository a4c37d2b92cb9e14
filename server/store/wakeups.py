"""Wake processes that wait for work when another process commits some.

With PostgreSQL, they listen for a notification. With SQLite, each has a named pipe beside the database, into
which the committing process writes a byte. Both may miss a commit, and behind pgbouncer there are no
notifications, so the caller also has to check from time to time.
"""

import errno
import logging
import os
import select
import threading
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import Engine

logger = logging.getLogger(__name__)

CHANNEL = "nabu"
"""The PostgreSQL notification channel that announces new work."""
_WAIT = 0.25
"""Seconds after which a listener to PostgreSQL checks whether to stop."""
_LONGEST_WAIT = 5.0
"""The same for SQLite, whose listeners are usually woken to stop."""
_NEW = "new-"
"""The beginning of the name of a pipe that cannot be read yet."""


def wakes(engine: Engine, stop: threading.Event) -> Generator[None, None, None]:
    """Yield once when listening, and then after each commit that may contain work, until `stop` is set.

    A commit while the caller is busy leads to another wake. Database errors are raised.
    """
    if engine.dialect.name == "postgresql":
        pooled = engine.raw_connection()
        own: Any = pooled.driver_connection
        pooled.detach()  # keep the connection out of the pool while listening
        with closing(pooled):
            yield from _listen(own, stop)
    else:
        with _pipe(_folder(engine), _file(engine).stat().st_mode & 0o060) as pipe:
            ready = select.poll()  # unlike `select.select`, for any number of open files
            ready.register(pipe, select.POLLIN)
            yield
            while not stop.is_set():
                if ready.poll(1000 * _LONGEST_WAIT):
                    os.read(pipe, 4096)
                    yield


def wake_others(engine: Engine) -> None:
    """Wake the processes on this machine that wait for commits, if the database is SQLite."""
    if engine.dialect.name == "postgresql":
        return
    with suppress(OSError):
        for each in _folder(engine).iterdir():
            if not each.name.startswith(_NEW):
                _write(each)


def is_pooled(connection: Any) -> bool:
    """Return whether a pooler such as pgbouncer may give each transaction another session of the database."""
    told = connection.execute("SELECT pg_backend_pid()").fetchone()[0]
    connection.rollback()
    return bool(told != connection.info.backend_pid)


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


def _file(engine: Engine) -> Path:
    return Path(str(engine.url.database))


def _folder(engine: Engine) -> Path:
    file = _file(engine)
    return file.with_name(f".{file.name}-wake")  # not among the files nabu.db*


@contextmanager
def _pipe(folder: Path, group: int) -> Iterator[int]:
    """Provide a new pipe in the folder, open for reading; `group` are the rights of the database's group."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o700 | group | group >> 1 & 0o010)
    name = uuid4().hex
    new, file = folder / f"{_NEW}{name}", folder / name
    os.mkfifo(new)
    new.chmod(0o600 | group)
    pipe = os.open(new, os.O_RDWR | os.O_NONBLOCK)  # opened for writing, too, so that it has no end
    try:
        new.rename(file)
        yield pipe
    finally:
        os.close(pipe)
        file.unlink(missing_ok=True)


def _write(file: Path) -> None:
    """Write a byte to a pipe. If nobody reads it, its process was killed: remove it."""
    try:
        pipe = os.open(file, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ENXIO:
            file.unlink(missing_ok=True)
        return
    try:
        # The reader of a full pipe wakes anyway; a closed pipe has none.
        with suppress(BlockingIOError, BrokenPipeError):
            os.write(pipe, b"!")
    finally:
        os.close(pipe)

"""Make a backup while Nabu runs."""

import fcntl
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Engine, text

from server.backup.archive import (
    DATABASE,
    ENCRYPTED,
    HEADS,
    SUFFIX,
    BadBackup,
    Lock,
    Manifest,
    checksum,
    pack,
)
from server.store import schema, snapshot
from server.store.db import writing
from server.store.rollback import history

OPEN = Lock()
"""The lock of a backup without encryption."""
NAME, BEFORE_UPGRADE = "nabu-", "nabu-upgrade-"
"""The first parts of the names of backups; those to keep are counted separately for each."""
_UNFINISHED = ".nabu-backup-"
_LOCK = ".nabu-backups.lock"
_MOMENT = re.compile(r"\d{8}T\d{6}Z\.tar\.gz(\.age)?")
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
_HEADS = """
SELECT game_id, number, hash FROM entry
WHERE number = (SELECT max(number) FROM entry AS other WHERE other.game_id = entry.game_id) ORDER BY game_id
"""


def make(
    engine: Engine,
    folder: Path,
    now: datetime,
    lock: Lock = OPEN,
    keep: int | None = None,
    called: str = NAME,
    verify: Callable[[Path], object] | None = None,
) -> Path:
    """Make a backup in a folder; return its file, which only this user can read.

    `verify` gets the file before it is encrypted, and raises BadBackup if it cannot be restored.

    `called` is the first part of its name; `keep` is the number of backups with such names to keep there. The
    file gets its name only when it is complete. Raises BadBackup.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(folder), TemporaryDirectory(prefix=_UNFINISHED, dir=folder) as work:
            file = folder / f"{called}{now:%Y%m%dT%H%M%SZ}{ENCRYPTED if lock else SUFFIX}"
            _see_that_it_fits(engine, folder, copies=2 if verify is None else 3)
            whole = Path(work, "whole")
            manifest = _written(engine, Path(work), now)
            pack(Path(work), manifest, lock, whole, verify or (lambda _: None))
            _put(whole, file)
            _forget_older(folder, file, called, keep)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BadBackup(f"No backup could be written into {folder}: {why}.") from None
    return file


def _written(engine: Engine, folder: Path, now: datetime) -> Manifest:
    """Write the database and the heads of its logs into a folder; return the manifest."""
    file = folder / DATABASE
    os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))
    snapshot.snapshot(engine, file)
    with closing(sqlite3.connect(file)) as copy, (folder / HEADS).open("w") as heads:
        [found] = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise BadBackup(f"The database is damaged: {found}. Keep the existing backups.")
        [revision] = copy.execute(f"SELECT version_num FROM {schema.VERSION_TABLE}").fetchone()  # noqa: S608 - ours
        tables = [name for (name,) in copy.execute(_TABLES)]
        rows = {
            table: copy.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]  # noqa: S608 - it is a table
            for table in tables
        }
        for head in copy.execute(_HEADS):
            heads.write("{} {} {}\n".format(*head))
    return Manifest(f"{now:%Y-%m-%dT%H:%M:%SZ}", version("nabu"), revision, checksum(file), rows)


def record(engine: Engine, file: Path, now: datetime, *, verified: bool) -> None:
    """Note in the database that a backup was made, for health checks."""
    what: dict[str, Any] = {"backup_at": now, "backup_bytes": file.stat().st_size}
    if verified:
        what["verified_at"] = now
    with writing(engine) as session:
        history.note(session, what, **what)


def _see_that_it_fits(engine: Engine, folder: Path, copies: int) -> None:
    """Raise BadBackup if the disk has no room for `copies` files, each as large as the database."""
    size = size_of(engine)
    free = shutil.disk_usage(folder).free
    if free < copies * size:
        raise BadBackup(
            f"Making a backup in {folder} needs up to {copies * size / 1e6:.0f} MB, but only "
            f"{free / 1e6:.0f} MB are free there."
        )


def size_of(engine: Engine) -> int:
    """Return the size of a database in bytes."""
    if engine.dialect.name == "sqlite":
        return Path(str(engine.url.database)).stat().st_size
    with engine.connect() as connection:
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


def _put(whole: Path, file: Path) -> None:
    """Rename the file after it is completely on the disk."""
    whole.chmod(0o600)
    with whole.open("rb") as written:
        os.fsync(written.fileno())
    whole.rename(file)


def _forget_older(folder: Path, made: Path, called: str, keep: int | None) -> None:
    """Delete all but the last `keep` backups. The new one counts as the last, even if the clock is wrong."""
    if keep is None:
        return
    of_its_sort = (file for file in folder.glob(f"{called}*") if _MOMENT.fullmatch(file.name[len(called) :]))
    others = sorted(file for file in of_its_sort if file != made)
    for file in others[: max(0, len(others) - keep + 1)]:
        file.unlink()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder against other backups, and delete unfinished ones."""
    with (folder / _LOCK).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for left in folder.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(left)
        yield

"""Making a backup, while Nabu runs."""

import fcntl
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

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

OPEN = Lock()
"""Of a backup that is not encrypted."""
NAME, BEFORE_UPGRADE = "nabu-", "nabu-upgrade-"
"""How the names of backups begin: of those, the ones that are kept are counted apart."""
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
) -> Path:
    """Write a backup into a folder; its file, which only we can read.

    `keep` is how many may stay there whose names begin like its own, as it is `called`. It appears under its
    name when it is whole. Raises BadBackup.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(folder), TemporaryDirectory(prefix=_UNFINISHED, dir=folder) as work:
            file = folder / f"{called}{now:%Y%m%dT%H%M%SZ}{ENCRYPTED if lock else SUFFIX}"
            _see_that_it_fits(engine, folder)
            whole = Path(work, "whole")
            pack(Path(work), _written(engine, Path(work), now), lock, whole)
            _put(whole, file)
            _forget_older(folder, file, called, keep)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BadBackup(f"No backup could be written into {folder}: {why}.") from None
    return file


def _written(engine: Engine, folder: Path, now: datetime) -> Manifest:
    """Write the database and the heads of its logs into a folder; what is in them."""
    file = folder / DATABASE
    os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))
    snapshot.snapshot(engine, file)
    with closing(sqlite3.connect(file)) as copy, (folder / HEADS).open("w") as heads:
        [found] = copy.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise BadBackup(f"The database is damaged: {found}. Keep the backups that there are.")
        [revision] = copy.execute(f"SELECT version_num FROM {schema.VERSION_TABLE}").fetchone()  # noqa: S608 - ours
        tables = [name for (name,) in copy.execute(_TABLES)]
        rows = {
            table: copy.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]  # noqa: S608 - it is a table
            for table in tables
        }
        for head in copy.execute(_HEADS):
            heads.write("{} {} {}\n".format(*head))
    return Manifest(f"{now:%Y-%m-%dT%H:%M:%SZ}", version("nabu"), revision, checksum(file), rows)


def _see_that_it_fits(engine: Engine, folder: Path) -> None:
    """Whether there is room for a copy and an archive of it. Raises BadBackup."""
    size = size_of(engine)
    free = shutil.disk_usage(folder).free
    if free < 2 * size:
        raise BadBackup(
            f"A backup in {folder} takes up to {2 * size / 1e6:.0f} MB while it is made, and "
            f"{free / 1e6:.0f} MB are free there."
        )


def size_of(engine: Engine) -> int:
    """The bytes that a database takes."""
    if engine.dialect.name == "sqlite":
        return Path(str(engine.url.database)).stat().st_size
    with engine.connect() as connection:
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


def _put(whole: Path, file: Path) -> None:
    """Give a file its name once all of it is on the disk."""
    whole.chmod(0o600)
    with whole.open("rb") as written:
        os.fsync(written.fileno())
    whole.rename(file)


def _forget_older(folder: Path, made: Path, called: str, keep: int | None) -> None:
    """Remove all but the last `keep`, of which the one just made is one, whatever the clock says."""
    if keep is None:
        return
    of_its_sort = (file for file in folder.glob(f"{called}*") if _MOMENT.fullmatch(file.name[len(called) :]))
    others = sorted(file for file in of_its_sort if file != made)
    for file in others[: max(0, len(others) - keep + 1)]:
        file.unlink()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until nobody else makes a backup there, and clear away what was not finished."""
    with (folder / _LOCK).open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        for left in folder.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(left)
        yield

"""Restore a backup into an empty database."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine, text
from sqlmodel import Session

from server.admin import announcements
from server.backup.archive import DATABASE, HEADS, BackupKey, BadBackup, Manifest, unpack
from server.game.integrity import log_check
from server.jobs import downtime
from server.jobs.job import Work
from server.processes.services import Services, open_services, utc_now
from server.settings import Settings
from server.store import engines, schema, snapshot
from server.store.db import reading, writing
from server.store.keys import check
from server.store.models import Heartbeat
from server.store.outbox import ActionContext
from server.store.rollback import history, row_numbers

JOURNALS = ("-wal", "-shm", "-journal")
"""The ends of the names of the files that SQLite keeps beside a database."""
_UNFINISHED = ".nabu-restore-"
_WHY = (
    "Nabu had to be restored from a backup of {made_at}. All later moves and messages are lost: if you have "
    "moved since, please move again, in reply to this email if it shows a board. Below is the current state. "
    "The lost time does not count as yours."
)


@dataclass(frozen=True)
class Restored:
    """The result of a restore: the number of games, of running games, and of players who get an email."""

    manifest: Manifest
    games: int
    running: int
    emailed: int


def restore(settings: Settings, file: Path, key: BackupKey, now: Callable[[], datetime] = utc_now) -> Restored:
    """Restore a backup into the empty database of the settings, completely or not at all.

    The time since the backup is given back, as after any outage. When Nabu runs again, it emails the state of
    their games to all players. Raises BadBackup, also if the
    database is not empty, or WrongKey.
    """
    place = settings.database_file
    folder = settings.backups if place is None else place.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _see_that_it_is_empty(settings, place)
    for left in folder.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(left)
    with TemporaryDirectory(prefix=_UNFINISHED, dir=folder) as work:
        manifest = unpack(file, key, Path(work))
        if manifest.schema > schema.newest():
            raise BadBackup(
                f"{file} was made by Nabu {manifest.version} with the schema {manifest.schema}, but this "
                f"version has {schema.newest()}. Install that version or a later one."
            )
        copy = Path(work, DATABASE)
        with services_of(settings, copy, now) as services:
            restored = _made_ready(services, manifest, _heads(Path(work, HEADS)))
        if place is not None:
            os.replace(copy, place)
        else:
            with _engine_of(settings) as engine:
                snapshot.fill(engine, copy)
    return restored


def verify(settings: Settings, file: Path, now: Callable[[], datetime] = utc_now) -> None:
    """Restore a backup without encryption into a temporary folder and check every game. Raises BadBackup."""
    with TemporaryDirectory(prefix=_UNFINISHED, dir=file.parent) as work:
        manifest = unpack(file, BackupKey(), Path(work))
        copy = Path(work, DATABASE)
        with services_of(settings, copy, now) as services:
            with services.engine.connect() as connection:
                for table, rows in manifest.rows.items():
                    found = connection.execute(text(f'SELECT count(*) FROM "{table}"')).scalar_one()  # noqa: S608 - ours
                    if found != rows:
                        raise BadBackup(f"The backup has {found} rows of the table {table} instead of {rows}.")
            check.admit(services.engine, services.sealer, now())
            _check(services, _heads(Path(work, HEADS)))


def refuse_existing(place: Path) -> None:
    """Raise BadBackup if a database exists, or a journal, with which SQLite would overwrite a new one."""
    for file in (place, *(Path(f"{place}{journal}") for journal in JOURNALS)):
        if file.exists():
            raise BadBackup(f"{file} already exists, and is never overwritten. Move it away first.")


def _see_that_it_is_empty(settings: Settings, place: Path | None) -> None:
    if place is not None:
        refuse_existing(place)
        return
    with _engine_of(settings) as engine:
        if not snapshot.is_empty(engine):
            raise BadBackup("The PostgreSQL database is not empty. Choose an empty one.")


@contextmanager
def _engine_of(settings: Settings) -> Iterator[Engine]:
    engine = engines.connect(settings.database_url)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def services_of(settings: Settings, copy: Path, now: Callable[[], datetime]) -> Iterator[Services]:
    """Open services on the copy; afterwards merge its journal, so that it is one file again."""
    there = settings.model_copy(update={"database_url": f"sqlite:///{copy}"})
    with closing(open_services(there, now)) as services:
        yield services
    snapshot.put_together(copy)


def _heads(file: Path) -> dict[int, str]:
    """Return the head of each game's log by the game's number. Raises BadBackup."""
    try:
        with file.open() as lines:
            return {int(game): head for game, _, head in map(str.split, lines)}
    except ValueError:
        raise BadBackup("This backup is damaged: the heads of its logs cannot be read.") from None


def _made_ready(services: Services, manifest: Manifest, heads: dict[int, str]) -> Restored:
    """Upgrade and check the copy, skip lost numbers, give back lost time, and queue the emails to players."""
    engine, sealer = services.engine, services.sealer
    schema.upgrade(engine)
    check.admit(engine, sealer, services.now())
    _check(services, heads)
    with reading(engine) as session:
        heartbeat = session.get(Heartbeat, Heartbeat.WORKER)
        seen = None if heartbeat is None else heartbeat.at
    # Before the emails, which contain the deadlines.
    downtime.beat_and_credit(Work(engine, sealer, services.now, services.settings))
    with writing(engine) as session:
        _forget_own_heartbeat(session, seen)
        row_numbers.skip(session.connection(), services.now())
        history.raise_generation(session, services.now())
        why = _WHY.format(made_at=manifest.made_at.replace("T", " ").replace("Z", " UTC"))
        told = announcements.tell(ActionContext(session, sealer, services.now()), why)
        running = session.execute(text("SELECT count(*) FROM game WHERE state = 'running'")).scalar_one()
        games = session.execute(text("SELECT count(*) FROM game")).scalar_one()
    return Restored(manifest, games, running, told)


def _forget_own_heartbeat(session: Session, seen: datetime | None) -> None:
    """Store the last heartbeat of a worker again, as health checks would take that of the restore for one."""
    heartbeat = session.get_one(Heartbeat, Heartbeat.WORKER)
    if seen is None:
        session.delete(heartbeat)
    else:
        heartbeat.at = seen


def _check(services: Services, heads: dict[int, str]) -> None:
    """Raise BadBackup unless every game matches its log, and every log ends with the head in the backup."""
    wrong = []
    with services.engine.connect() as connection:
        found = {
            game: connection.execute(
                text("SELECT hash FROM entry WHERE game_id = :game ORDER BY number DESC LIMIT 1"),
                {"game": game},
            ).scalar()
            for game in heads
        }
    for number in log_check.numbers_of_games(services.engine):
        if found.get(number) != heads.get(number) or log_check.check(services.engine, services.sealer, number):
            wrong.append(number)
    if wrong:
        numbers = ", ".join(map(str, wrong[:5]))
        raise BadBackup(
            f"{len(wrong)} games in the backup do not match their logs: {numbers}. Try an earlier backup."
        )

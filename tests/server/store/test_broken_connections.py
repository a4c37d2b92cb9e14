"""After a database outage, no process has to be restarted."""

from __future__ import annotations

import gc
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from server.processes.services import utc_now
from server.store import schema
from server.store.db import reading, writing
from server.store.engines import connect
from server.store.models import Heartbeat
from tests.support.database.postgres import running_server

pytestmark = pytest.mark.slow


def write(engine: Engine) -> None:
    with writing(engine) as session:
        session.merge(Heartbeat(id=1, at=utc_now()))


def is_read(engine: Engine) -> bool:
    with reading(engine) as session:
        return session.exec(select(Heartbeat.id)).first() == 1


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that a user other than root can reach."""
    path = Path(tempfile.mkdtemp(prefix="nabu-db-"))
    yield path
    shutil.rmtree(path)


@contextmanager
def as_nobody(folder: Path) -> Iterator[None]:
    """Run as a user other than root, who may write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    for path in (folder, *folder.iterdir()):
        os.chown(path, 65534, 65534)
    # Only root may delete the files of earlier tests.
    gc.collect()
    gc.disable()
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        gc.enable()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    for file in folder.iterdir():
        file.chmod(0o400)
    try:
        yield
    finally:
        for file in folder.iterdir():
            file.chmod(0o600)


def test_sqlite_works_again_after_the_file_could_not_be_written(folder: Path) -> None:
    engine = connect(f"sqlite:///{folder}/nabu.db")
    schema.upgrade(engine)
    write(engine)
    engine.dispose()
    with as_nobody(folder):
        with read_only(folder):
            for _ in range(3):
                with pytest.raises(DBAPIError):
                    write(engine)
        for _ in range(3):
            write(engine)
        assert is_read(engine)
        engine.dispose()


def test_postgresql_connections_recover_after_a_restart() -> None:
    with running_server() as server:
        engine = connect(server.url(server.make_database()))
        schema.upgrade(engine)
        with writing(engine) as session:
            session.merge(Heartbeat(id=1, at=utc_now()))
            server.restart()
            with pytest.raises(DBAPIError):
                session.flush()
            session.rollback()
        write(engine)
        assert is_read(engine)
        engine.dispose()


@pytest.mark.parametrize("database", ["postgresql"])
def test_read_only_postgresql_is_left_for_one_that_writes(database_url: str) -> None:
    """After a fail-over, old connections lead to a server that is now a replica."""
    engine = connect(database_url)
    with engine.connect() as connection:
        connection.exec_driver_sql("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
        connection.commit()
    with pytest.raises(DBAPIError):
        write(engine)
    write(engine)
    engine.dispose()


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_database_files_are_private(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        engine = connect(f"sqlite:///{tmp_path}/new/nabu.db")
        schema.upgrade(engine)
        with engine.connect() as connection:
            connection.exec_driver_sql("SELECT 1 FROM heartbeat")
            found = modes(tmp_path / "new")
    finally:
        os.umask(before)
    engine.dispose()
    assert set(found) == {"nabu.db", "nabu.db-wal", "nabu.db-shm"}
    assert set(found.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


@pytest.mark.parametrize(("was", "becomes"), [(0o644, 0o600), (0o640, 0o600), (0o664, 0o660), (0o600, 0o600)])
def test_readable_file_is_made_private(tmp_path: Path, was: int, becomes: int) -> None:
    file = tmp_path / "nabu.db"
    file.touch()
    file.chmod(was)
    connect(f"sqlite:///{file}").dispose()
    assert modes(tmp_path) == {"nabu.db": becomes}


def test_folder_in_place_of_the_file_keeps_its_rights(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir(0o755)
    connect(f"sqlite:///{folder}").dispose()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755

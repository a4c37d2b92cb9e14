"""Processes that wait for commits in a SQLite database are woken by named pipes beside it."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from queue import Queue

import pytest

from server.store.db import wake, writing
from server.store.engines import connect
from server.store.wakeups import wake_others, wakes
from tests.support.machine.waiting import await_that

PATIENCE = 60.0


def test_commits_with_work_wake_all_that_wait(tmp_path: Path) -> None:
    engine, stop = connect(f"sqlite:///{tmp_path}/nabu.db"), threading.Event()
    woken: list[Queue[None]] = [Queue(), Queue()]

    def wait(queue: Queue[None]) -> None:
        for _ in wakes(engine, stop):
            queue.put(None)

    threads = [threading.Thread(target=wait, args=(queue,)) for queue in woken]
    for thread in threads:
        thread.start()
    for queue in woken:
        queue.get(timeout=PATIENCE)  # it is listening
    for _ in range(2):
        with writing(engine) as session:
            wake(session)
        for queue in woken:
            queue.get(timeout=PATIENCE)
    stop.set()
    wake_others(engine)
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    await_that(lambda: not list((tmp_path / ".nabu.db-wake").iterdir()))
    engine.dispose()


def test_commits_without_work_wake_nobody(tmp_path: Path) -> None:
    folder = tmp_path / ".nabu.db-wake"
    folder.mkdir()
    os.mkfifo(folder / "own")
    pipe = os.open(folder / "own", os.O_RDWR | os.O_NONBLOCK)
    engine = connect(f"sqlite:///{tmp_path}/nabu.db")
    with writing(engine):
        pass
    with pytest.raises(BlockingIOError):
        os.read(pipe, 1)
    with writing(engine) as session:
        wake(session)
    assert os.read(pipe, 1)
    os.close(pipe)
    engine.dispose()


def test_the_pipe_of_a_process_that_was_killed_is_removed_and_a_full_one_does_not_block(tmp_path: Path) -> None:
    folder = tmp_path / ".nabu.db-wake"
    folder.mkdir()
    dead, full = folder / "dead", folder / "full"
    for each in (dead, full):
        os.mkfifo(each)
    reader = os.open(full, os.O_RDWR | os.O_NONBLOCK)
    engine = connect(f"sqlite:///{tmp_path}/nabu.db")
    os.write(reader, bytes(1 << 16))
    wake_others(engine)
    assert list(folder.iterdir()) == [full]
    os.close(reader)
    engine.dispose()


def test_those_who_may_write_to_the_database_may_wake_its_processes(tmp_path: Path) -> None:
    file, stop = tmp_path / "nabu.db", threading.Event()
    for mode, of_folder, of_pipe in ((0o600, 0o700, 0o600), (0o660, 0o770, 0o660)):
        file.touch()
        file.chmod(mode)
        engine = connect(f"sqlite:///{file}")
        listening = wakes(engine, stop)
        next(listening)
        folder = tmp_path / ".nabu.db-wake"
        (pipe,) = folder.iterdir()
        assert [stat.S_IMODE(each.stat().st_mode) for each in (folder, pipe)] == [of_folder, of_pipe]
        listening.close()
        engine.dispose()

"""The processes of `nabu serve`."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from server.cli import children
from server.cli.children import Child, Lifeline, end_all, fork, notify_systemd
from server.cli.run import stop_event
from server.monitoring import metrics, pulse
from server.processes.services import Services, open_services
from tests.support.machine.ports import free_ports
from tests.support.machine.waiting import await_that
from tests.support.server.players import add_player
from tests.support.server.services import environment_of, settings_for, sqlite_database

pytestmark = pytest.mark.slow


def sleep(marker: Path) -> None:
    """Show that the process runs, and go on running."""
    marker.touch()
    time.sleep(600)


def ignore_and_sleep(marker: Path) -> None:
    """Go on running even if asked to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep(marker)


def started(run: Callable[[Path], None], marker: Path) -> BaseProcess:
    """Return a running child, after the program in it has started."""
    process = fork(marker.name, partial(run, marker), Lifeline())
    await_that(marker.exists)
    return process


FAILING = """
import runpy, sys
from server.cli.children import Child

def fail(child):
    raise OSError("no memory for another process")

Child.keep_running = fail
sys.argv[1:] = ["serve"]
runpy.run_module("server", run_name="__main__")
"""
UNWOKEN = """
import signal, threading, time
from server.cli.run import wait_for_signal

def get():
    time.sleep(0.5)  # until the main thread waits
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

threading.Thread(target=get).start()
wait_for_signal()
"""


def test_children_that_do_not_end_when_asked_are_killed(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    processes = {name: started(ignore_and_sleep, tmp_path / name) for name in ("mail", "worker")}
    end_all(processes, grace=0.1)
    assert [process.exitcode for process in processes.values()] == [-signal.SIGKILL] * 2
    assert "worker did not end" in caplog.text


def beat_always() -> None:
    """Beat the pulse of the worker."""
    while True:
        pulse.beat("worker")
        time.sleep(0.01)


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    """Return a process that beats its pulse, under the eyes of `nabu serve`."""
    monkeypatch.setenv(metrics.FOLDER, str(tmp_path))
    child = Child("worker", beat_always, Lifeline(), str(tmp_path))
    await_that((tmp_path / "worker.pulse").exists)
    yield child
    child.process.kill()
    child.process.join()


def test_hanging_process_is_replaced(
    child: Child, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first = child.process
    child.keep_running()
    assert first.pid is not None
    os.kill(first.pid, signal.SIGSTOP)
    monkeypatch.setattr(children, "HUNG", 0.5)

    def is_replaced() -> bool:
        child.keep_running()
        return child.process is not first

    await_that(is_replaced)
    assert first.exitcode == -signal.SIGKILL
    assert "worker hangs" in caplog.text


def test_process_with_a_heartbeat_is_not_replaced(
    child: Child, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "worker.pulse"
    child.keep_running()
    child._alive -= 1000
    before = file.stat().st_mtime_ns
    await_that(lambda: file.stat().st_mtime_ns > before)
    first = child.process
    child.keep_running()
    assert child.process is first


@pytest.mark.parametrize("address", ["socket", "@nabu"])
def test_systemd_is_notified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    place = f"{tmp_path}/{address}" if address == "socket" else f"{address}-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(place.replace("@", "\0"))
        monkeypatch.setenv("NOTIFY_SOCKET", place)
        notify_systemd("READY=1")
        assert systemd.recv(100) == b"READY=1"
    notify_systemd("WATCHDOG=1")  # nothing listens any more
    monkeypatch.delenv("NOTIFY_SOCKET")
    notify_systemd("WATCHDOG=1")


def environment_of_serve(services: Services) -> dict[str, str]:
    """Return the settings of `nabu serve` with the database of these services, on free ports."""
    port = free_ports(2)
    return {
        **environment_of(services.settings),
        "NABU_HTTP_LISTEN": f"127.0.0.1:{port[0]}",
        "NABU_SMTP_LISTEN": f"127.0.0.1:{port[1]}",
    }


@pytest.mark.long
def test_serve_ends_with_its_children_if_it_fails(tmp_path: Path) -> None:
    with closing(open_services(settings_for(sqlite_database(tmp_path)))) as services:
        given = environment_of_serve(services)
    process = subprocess.Popen([sys.executable, "-c", FAILING], env={**os.environ, **given})
    try:
        assert process.wait(60) == 1
    finally:
        process.kill()


@pytest.mark.long
def test_database_file_is_complete_after_a_stop(tmp_path: Path) -> None:
    services = open_services(settings_for(sqlite_database(tmp_path)))
    given = {**environment_of_serve(services), "NOTIFY_SOCKET": f"{tmp_path}/systemd"}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(given["NOTIFY_SOCKET"])
        process = subprocess.Popen([sys.executable, "-m", "server", "serve"], env={**os.environ, **given})
        try:
            assert systemd.recv(100) == b"READY=1"
            assert systemd.recv(100) == b"WATCHDOG=1"
            add_player(services, "ann@example.org", "Ann")  # its connection stays open, so the log stays
        finally:
            process.terminate()
            assert process.wait(60) == 0
    assert (tmp_path / "nabu.db-wal").stat().st_size == 0
    with closing(sqlite3.connect(shutil.copy(tmp_path / "nabu.db", tmp_path / "copy"))) as copy:
        assert copy.execute("SELECT count(*) FROM player WHERE name = 'Ann'").fetchone() == (1,)
    services.close()


def test_a_child_that_ends_when_asked_is_not_killed(tmp_path: Path) -> None:
    process = started(sleep, tmp_path / "web")
    end_all({"web": process})
    assert process.exitcode == -signal.SIGTERM


def test_a_child_ends_with_its_parent(tmp_path: Path) -> None:
    def be_parent() -> None:
        process = started(sleep, tmp_path / "grandchild")
        (tmp_path / "new").write_text(str(process.pid))
        (tmp_path / "new").rename(tmp_path / "number")
        time.sleep(600)

    parent = fork("parent", be_parent, Lifeline())
    await_that((tmp_path / "number").exists)
    parent.kill()
    parent.join()
    number = (tmp_path / "number").read_text()
    await_that(lambda: not Path("/proc", number).exists())


def test_stop_signal_at_a_bad_moment_does_not_hang() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    stop = stop_event()
    try:
        with stop._cond:  # type: ignore[attr-defined]  # as while it begins to wait
            os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(60)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@pytest.mark.long
def test_signal_that_does_not_wake_the_main_thread_still_stops_it() -> None:
    process = subprocess.Popen([sys.executable, "-c", UNWOKEN])
    try:
        assert process.wait(60) == 0
    finally:
        process.kill()

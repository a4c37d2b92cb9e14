"""`nabu serve`: all processes of Nabu on one machine."""

import gc
import logging
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import NoReturn

import click

from server.admin.health import HISTORY
from server.cli import mail, main, plain_errors, web  # noqa: F401 - imported for the children
from server.cli.children import Child, Lifeline, end_all, fork, notify_systemd
from server.cli.run import open_configured, stop_event
from server.cli.startup_checks import check_all
from server.monitoring import logs, metrics
from server.processes.alarm import alert_sender
from server.processes.services import Services, open_services
from server.settings.loading import load
from server.store.db import merge_journal
from server.store.rollback.history import OlderDatabase

logger = logging.getLogger(__name__)

_AGAIN = 5.0
"""Seconds after which to look again for a newer database."""
PARTS = {"web": ["web"], "mail": ["mail"], "worker": ["worker"], "computers": ["worker", "--computer"]}
"""The processes, each with the arguments of `nabu` that run it."""
_MEMORY = "/dev/shm"  # noqa: S108 - a folder of its own is made there


@click.command()
@click.pass_obj
def serve(config: Path | None) -> None:
    """Run web pages, mail, worker and computer players. Processes that crash are restarted."""
    folder = os.environ.get(metrics.FOLDER) or _restart_with_folder()
    settings = load(config)
    logs.set_up(settings.log_level, settings.log_format)
    lifeline = Lifeline()
    # Imported modules stay. Unless they are examined, the children share their memory.
    gc.freeze()
    _run_to_end("check", partial(_check, config), lifeline)
    given = ["--config", str(config)] if config else []
    parts = {
        name: Child(name, partial(main, [*given, *arguments]), lifeline, folder)
        for name, arguments in PARTS.items()
    }
    stop = stop_event()
    notify_systemd("READY=1")
    while not stop.wait(0.5):
        for part in parts.values():
            part.keep_running()
        notify_systemd("WATCHDOG=1")
    notify_systemd("STOPPING=1")
    end_all({name: part.process for name, part in parts.items()})
    shutil.rmtree(folder, ignore_errors=True)
    _run_to_end("stop", partial(_merge_journal, config), lifeline)


def _restart_with_folder() -> NoReturn:
    """Start `nabu serve` again, with a folder for metrics, whose variable is read when modules are imported."""
    # In memory: on a full disk, processes that count would be killed.
    folder = mkdtemp(prefix="nabu-metrics-", dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None)
    command = [sys.executable, "-m", "server", *sys.argv[1:]]
    os.execve(sys.executable, command, {**os.environ, metrics.FOLDER: folder})  # noqa: S606 - our own command


def _run_to_end(name: str, run: Callable[[], None], lifeline: Lifeline) -> None:
    """Call `run` in a process of its own, so that this one opens no database; exit if it fails."""
    process = fork(name, run, lifeline)
    process.join()
    if process.exitcode:
        sys.exit(process.exitcode)


def _check(config: Path | None) -> None:
    with plain_errors(), closing(_open_newest(config)) as services:
        check_all(services)


def _merge_journal(config: Path | None) -> None:
    with plain_errors(), closing(open_services(load(config))) as services:
        merge_journal(services.engine)


def _open_newest(config: Path | None) -> Services:
    """Open and upgrade the database; if it is older than before, send an alert and wait for a newer one."""
    alerted = False
    while True:
        try:
            return open_configured(config, upgrade=True)
        except OlderDatabase as error:
            tell = None if alerted else alert_sender(load(config))
            alerted = tell is None or tell(f"{HISTORY}: {error.sentence}")
        time.sleep(_AGAIN)

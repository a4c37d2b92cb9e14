"""`nabu serve`: all processes of Nabu on one machine."""

import gc
import os
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import click

from server.admin.health import HISTORY
from server.cli import mail, main, web  # noqa: F401 - imported for the children
from server.cli.children import Child, Lifeline, end_all, notify_systemd
from server.cli.run import open_configured, stop_event
from server.cli.startup_checks import check_all
from server.monitoring import metrics
from server.processes.alerts import alert_sender
from server.processes.services import Services, open_services
from server.settings.loading import load
from server.store.engines import merge_journal
from server.store.rollback.history import OlderDatabase

_AGAIN = 5.0
"""Seconds after which to look again for a newer database."""
_LOOK = 1.0
"""Seconds between two checks of the processes."""
PARTS = {"web": ["web"], "mail": ["mail"], "worker": ["worker"], "computers": ["worker", "--computer"]}
"""The processes, each with the arguments of `nabu` that run it."""


@click.command()
@click.pass_obj
def serve(config: Path | None) -> None:
    """Run web pages, mail, worker and computer players. Processes that crash are restarted."""
    with closing(_open_newest(config)) as services:
        check_all(services)
    folder = os.environ[metrics.FOLDER]  # made by `server.__main__`
    lifeline = Lifeline()
    gc.collect()
    gc.freeze()  # objects that are never examined stay in memory that all processes share
    given = ["--config", str(config)] if config else []
    parts: dict[str, Child] = {}
    try:
        for name, arguments in PARTS.items():
            parts[name] = Child(name, partial(main, [*given, *arguments]), lifeline, folder)
        stop = stop_event()
        notify_systemd("READY=1")
        while not stop.wait(_LOOK):
            for part in parts.values():
                part.keep_running()
            notify_systemd("WATCHDOG=1")
        notify_systemd("STOPPING=1")
    finally:
        end_all({name: part.process for name, part in parts.items()})
    with closing(open_services(load(config))) as services:
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

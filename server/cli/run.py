"""The commands that run Nabu: all in one, or one process each."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from server.accounts import computer_players
from server.backup.archive import BadBackup, Lock
from server.backup.making import BEFORE_UPGRADE, make
from server.cli.startup_checks import (
    check_all,
    check_ports,
    database_told,
    warn_of_open_secrets,
    warn_of_strange_names,
)
from server.monitoring import logs, metrics, sentry
from server.processes.alarm import Alarm, teller
from server.processes.computer_process import Computers
from server.processes.services import Services, open_services
from server.processes.worker import Worker
from server.settings.loading import BadSettings, load
from server.settings.value_types import host_and_port
from server.store import schema
from server.store.keys.check import admit

logger = logging.getLogger(__name__)

_LOOK_UP = 1.0  # seconds
PARTS = {"web": ["web"], "mail": ["mail"], "worker": ["worker"], "computers": ["worker", "--computer"]}
"""The processes of `serve`, and the commands that run them."""
_MEMORY = "/dev/shm"  # noqa: S108 - a folder of its own is made there
_KEPT = 3
"""Backups made before upgrades that stay."""
_GRACE = 20.0
"""Seconds that the parts have to finish what they are doing."""


@click.group("db")
def database() -> None:
    """The database."""


@database.command()
@click.option("--no-backup", is_flag=True, help="Do not write a backup into NABU_BACKUP_FOLDER first.")
@click.pass_obj
def upgrade(config: Path | None, no_backup: bool) -> None:
    """Upgrade the database to the schema of this version, after a backup."""
    open_configured(config, upgrade=True, backs_up=not no_backup).close()
    click.echo("The database is ready.")


@click.command()
@click.option("--computer", is_flag=True, help="Do nothing but think and move for the computer players.")
@click.pass_obj
def worker(config: Path | None, computer: bool) -> None:
    """Do what is due: handle mail, send mail, keep the clocks; or move for the computer players."""
    services = open_configured(config)
    instrument(services, "computers" if computer else "worker")
    running = Computers(services) if computer else Worker(services)
    warn_of_open_secrets(services.settings, config)
    warn_of_strange_names()
    running.start()
    logger.info("%s running", "computer players" if computer else "worker")
    with watched(services, only=() if computer else ("mail in",)):
        wait_for_signal()
    running.stop()


@click.command()
@click.pass_context
def serve(context: click.Context) -> None:
    """Run web pages, mail, worker and computer players together, and restart whatever crashes."""
    with closing(open_configured(context.obj, upgrade=True)) as services:
        check_all(services)
    warn_of_strange_names()
    # Nobody writes into it, and only this process can close it, so its children end when it is gone.
    lifeline, _kept = os.pipe()
    # In memory: on a disk that is full, whoever counts would be killed.
    memory = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    counted = TemporaryDirectory(prefix="nabu-metrics-", dir=memory)
    environment = {**os.environ, metrics.FOLDER: counted.name}
    arguments = ["--config", str(context.obj)] if context.obj else []
    parts = {name: _Child(name, [*arguments, *PARTS[name]], lifeline, environment) for name in PARTS}
    stop = stop_event()
    while not stop.wait(0.5):
        for part in parts.values():
            part.keep_running()
    end_all({name: part.process for name, part in parts.items()})
    counted.cleanup()


def end_all(processes: Mapping[str, subprocess.Popen[bytes]], grace: float = _GRACE) -> None:
    """Ask processes to end, and kill those that have not done so after `grace` seconds: that loses nothing."""
    for process in processes.values():
        process.terminate()
    end = time.monotonic() + grace
    for name, process in processes.items():
        try:
            process.wait(max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            logger.warning("%s did not end within %g seconds, killing it", name, grace)
            process.kill()
            process.wait()


class _Child:
    """One process of `serve`."""

    def __init__(self, name: str, arguments: list[str], lifeline: int, environment: Mapping[str, str]) -> None:
        self._command = [sys.executable, "-m", "server", "--lifeline", str(lifeline), *arguments]
        self._name = name
        self._lifeline, self._environment = lifeline, environment
        self.process = self._start()

    def keep_running(self) -> None:
        """Start the process again when it has ended, at most every five seconds."""
        if self.process.poll() is None or time.monotonic() - self._started < 5:
            return
        logger.error("%s ended with code %s; restarting it", self._name, self.process.returncode)
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        self._started = time.monotonic()
        return subprocess.Popen(  # noqa: S603 - our own command
            self._command, pass_fds=[self._lifeline], env=self._environment
        )


def instrument(services: Services, process: str) -> None:
    """Begin to count what this process does, and to tell of that, and of errors, where the settings say."""
    settings = services.settings
    try:
        sentry.tell(settings.sentry_dsn, process)
    except ValueError:
        raise BadSettings("NABU_SENTRY_DSN: it looks like https://KEY@HOST/NUMBER.") from None
    metrics.STARTED.labels(process).set_to_current_time()
    if settings.metrics_listen and not os.environ.get(metrics.FOLDER):
        check_ports(services, ("metrics_listen",))
        metrics.serve(*host_and_port(settings.metrics_listen))


NUMBER = click.IntRange(1, 10**15 - 1)
"""The number of a game or a mail: no database can look for larger ones."""


def open_configured(config: Path | None, *, upgrade: bool = False, backs_up: bool = True) -> Services:
    """Services with the settings of the environment and `config`; the key must be that of the database.

    The schema must be current, unless it is brought to that of this version, after a backup.
    """
    settings = load(config)
    logs.set_up(settings.log_level, settings.log_format)
    with database_told():
        services = open_services(settings)
    try:
        with database_told():
            if upgrade:
                _upgrade(services, backs_up=backs_up)
            schema.check(services.engine)
            admit(services.engine, services.sealer, services.now())
            computer_players.ensure_exist(services.engine, services.now())
    except Exception:
        services.close()
        raise
    return services


def _upgrade(services: Services, *, backs_up: bool) -> None:
    """Bring the schema to this version; what there is is backed up before."""
    with services.engine.connect() as connection:
        schema.check_can_upgrade(connection)
        found = schema.revision_of(connection)
    if found and found < schema.newest() and backs_up:
        settings, now = services.settings, services.now()
        try:
            lock = Lock(settings.backup_keys)
            file = make(services.engine, settings.backups, now, lock, _KEPT, BEFORE_UPGRADE)
        except BadBackup as problem:
            raise BadSettings(f"{problem} Or upgrade without a backup: nabu db upgrade --no-backup") from None
        logger.info("before the upgrade from schema %s: %s", found, file)
    schema.upgrade(services.engine)


@contextmanager
def watched(services: Services, only: Collection[str] | None = None) -> Iterator[None]:
    """Have the administrator told of these troubles meanwhile, or of all."""
    tell = teller(services.settings)
    if tell is None or (only is not None and not only):
        yield
        return
    alarm = Alarm(services, tell, only)
    alarm.start()
    try:
        yield
    finally:
        alarm.stop()


def stop_event() -> threading.Event:
    """An event that is set when the process is asked to end."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        # From a thread: the main one, which is interrupted, may be holding the event's lock right now.
        signal.signal(number, lambda *_: threading.Thread(target=stop.set).start())
    return stop


def wait_for(stop: threading.Event) -> None:
    """Return when the event of `stop_event` is set.

    Only the main thread handles signals, and one that another thread gets, or that comes just as the main one
    falls asleep, does not wake it: so it looks up every second.
    """
    while not stop.wait(_LOOK_UP):
        pass


def wait_for_signal() -> None:
    """Return when the process is asked to end."""
    wait_for(stop_event())

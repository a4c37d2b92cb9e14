"""The commands that run Nabu: `nabu serve` runs all processes, `nabu worker` one."""

import logging
import os
import shlex
import signal
import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from server.accounts import computer_players
from server.backup.archive import BadBackup, Lock
from server.backup.making import BEFORE_UPGRADE, make
from server.cli.startup_checks import MAIL, check_ports, database_told, warn_of_open_secrets
from server.monitoring import logs, metrics, pulse, sentry
from server.processes.alerts import Alarm, alert_sender
from server.processes.computer_process import Computers
from server.processes.mail_process import Mailroom
from server.processes.services import Services, open_services
from server.processes.worker import Worker
from server.settings.errors import wrong
from server.settings.loading import BadSettings, load
from server.settings.value_types import SENTRY_FORM, host_and_port
from server.store import schema
from server.store.keys.check import admit

logger = logging.getLogger(__name__)

_LOOK_UP = 5.0
"""Seconds between two beats of the pulse of a process."""
_HANDLING = 1.0
"""Seconds within which the signal that woke the process is handled."""
_KEPT = 3
"""The number of backups from before upgrades that are kept."""


@click.group("db")
def database() -> None:
    """Manage the database."""


@database.command()
@click.option("--no-backup", is_flag=True, help="Do not make a backup in NABU_BACKUP_FOLDER first.")
@click.pass_obj
def upgrade(config: Path | None, no_backup: bool) -> None:
    """Create the database, or upgrade it to this version.

    Nabu makes a backup before an upgrade.
    """
    open_configured(config, upgrade=True, backs_up=not no_backup).close()
    click.echo("The database is ready.")


@click.command()
@click.option("--computer", is_flag=True, help="Move for the computer players, and do nothing else.")
@click.pass_obj
def worker(config: Path | None, computer: bool) -> None:
    """Run background jobs, or the computer players.

    The jobs handle incoming emails, outgoing emails and clocks.
    """
    services = open_configured(config)
    instrument(services, "computers" if computer else "worker")
    running = Computers(services) if computer else Worker(services)
    warn_of_open_secrets(services.settings, config)
    running.start()
    logger.info("%s running", "computer players" if computer else "worker")
    with watched(services, only=() if computer else ("mail in",)):
        wait_for_signal("computers" if computer else "")
    running.stop()
    services.close()


def receive_mail(config: Path | None, meeting_point: str) -> None:
    """Run the mail process, which takes the emails of pipes at this name, until a signal stops it."""
    services = open_configured(config)
    check_ports(services, MAIL)
    instrument(services, "mail")
    room = Mailroom(services, meeting_point)
    room.start()
    with watched(services):
        wait_for_signal()
    room.stop()
    services.close()


def instrument(services: Services, process: str) -> None:
    """Start this process's metrics and error reports, as the settings say."""
    settings = services.settings
    try:
        sentry.tell(settings.sentry_dsn, process)
    except ValueError:
        raise BadSettings(wrong("sentry_dsn", settings.sentry_dsn, SENTRY_FORM)) from None
    metrics.STARTED.labels(process).set_to_current_time()
    if settings.metrics_listen and not os.environ.get(metrics.FOLDER):
        check_ports(services, ("metrics_listen",))
        metrics.serve(*host_and_port(settings.metrics_listen))


NUMBER = click.IntRange(1, 10**15 - 1)
"""The number of a game or an email; databases cannot search for larger ones."""


def open_configured(
    config: Path | None, *, upgrade: bool = False, backs_up: bool = True, any_history: bool = False
) -> Services:
    """Return services with the settings from the environment and `config`.

    The secret key must be the one of the database, and the schema current. With `upgrade` the schema is
    upgraded, after a backup if `backs_up`. With `any_history` the database may be older than the last one.
    """
    settings = load(config)
    logs.set_up(settings.log_level, settings.log_format)
    with database_told(settings):
        services = open_services(settings, any_history=any_history)
    try:
        with database_told(settings):
            if upgrade:
                _upgrade(services, backs_up=backs_up)
            schema.check(services.engine)
            admit(services.engine, services.sealer, services.now())
            computer_players.ensure_exist(services.engine, services.now())
    except Exception:
        services.close()
        raise
    return services


def command_line(config: Path | None, *words: str) -> str:
    """Return the command of `nabu` with these words and this settings file, unless it is the usual one."""
    usual = os.environ.get("NABU_CONFIG")
    is_usual = config is None or (usual and Path(usual).absolute() == config.absolute())
    return shlex.join(["nabu", *([] if is_usual else ["--config", str(config)]), *words])


def _upgrade(services: Services, *, backs_up: bool) -> None:
    """Upgrade the schema to this version, after a backup if there are data."""
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
        logger.info("backup before the upgrade from schema %s: %s", found, file)
    schema.upgrade(services.engine)


@contextmanager
def watched(services: Services, only: Collection[str] | None = None) -> Iterator[None]:
    """Send alerts about these problems meanwhile, or about all."""
    tell = alert_sender(services.settings)
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
    """Return an event that is set when the process gets SIGINT or SIGTERM."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        # From another thread, as the interrupted main thread may hold the event's lock.
        signal.signal(number, lambda *_: threading.Thread(target=stop.set).start())
    return stop


def wait_for(stop: threading.Event, name: str = "") -> None:
    """Return when the event of `stop_event` is set; until then, beat the pulse of the process `name`, if any.

    Only the main thread handles signals, but a signal does not always wake it: so Python also writes to a
    socket for each signal.
    """
    while (pair := _connected_sockets()) is None:
        if stop.wait(_HANDLING):
            return
    woken, wakes = pair
    with woken, wakes:
        wakes.setblocking(False)
        before = signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        woken.settimeout(_LOOK_UP)
        try:
            while not stop.is_set():
                if name:
                    pulse.beat(name)
                with suppress(TimeoutError):
                    woken.recv(1)
                    stop.wait(_HANDLING)
        finally:
            signal.set_wakeup_fd(before)


def _connected_sockets() -> tuple[socket.socket, socket.socket] | None:
    """Return two connected sockets; None while the process cannot open files, as its visitors use all."""
    try:
        return socket.socketpair()
    except OSError:
        return None


def wait_for_signal(name: str = "") -> None:
    """Return when the process gets SIGINT or SIGTERM; until then, beat the pulse of `name`, if any."""
    wait_for(stop_event(), name)

"""`nabu demo`: a complete server on this machine, with a mailbox page instead of real email."""

import fcntl
import secrets
import shlex
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import click

from server.accounts import computer_players
from server.cli.run import stop_event, wait_for
from server.demo.pages import create_mailbox
from server.demo.postbox import POSTBOX, Postbox
from server.demo.seed import ANN, BEN, seed
from server.processes.computer_process import Computers
from server.processes.mail_process import Mailroom
from server.processes.services import open_services
from server.processes.worker import Worker
from server.settings import Settings
from server.store import schema
from server.store.engines import connect
from server.store.keys.check import admit
from server.web import create_app
from server.web.server import WebServer

_HOST = "127.0.0.1"
_DATABASE, _HISTORY, _POSTBOX, _SECRET, _LOCK = "nabu.db", "nabu.history.json", "postbox", "secret", "lock"
"""The files in the demo's folder."""


@click.command()
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("var/demo"),
    show_default=True,
    help="The folder for the database and the emails.",
)
@click.option("--reset", is_flag=True, help="Delete the demo's data and start again.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    help="The port of the web pages; the demo also uses the next three.",
)
def demo(folder: Path, port: int, reset: bool) -> None:
    """Run a demo on this machine. A mailbox page shows every email and lets you reply."""
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        if reset or _is_from_before_the_first_release(folder):
            _clear(folder)
        _run(folder, port)


def _run(folder: Path, port: int) -> None:
    stop = stop_event()
    ports = {
        name: _free_port(port + number) for number, name in enumerate(("web", "page", "listener", "postbox"))
    }
    settings = _settings(folder, ports)
    services = open_services(settings)
    schema.upgrade(services.engine)
    admit(services.engine, services.sealer, services.now())
    computer_players.ensure_exist(services.engine, services.now())
    postbox = Postbox(folder / _POSTBOX)
    world = postbox.listener(_HOST, ports["postbox"])
    room = Mailroom(services)
    worker, computers = Worker(services), Computers(services)
    page = create_mailbox(
        postbox, (_HOST, ports["listener"]), settings.plain_address, settings.base_url, (ANN, BEN)
    )
    # Only this machine can open the pages, so its connections are not limited.
    servers = [
        WebServer(app, _HOST, ports[name], own=lambda peer: True)
        for app, name in ((create_app(services), "web"), (page, "page"))
    ]
    seed(services)
    parts: list[_Startable] = [world, room, worker, computers, *servers]
    for part in parts:
        part.start()
    _say_hello(settings, ports, folder)
    wait_for(stop)
    click.echo("\nStopping.")
    for part in reversed(parts):
        part.stop()


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder, so that no other demo uses it at the same time."""
    with (folder / _LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as taken:
            raise click.ClickException(
                f"Another demo is running in {folder}. Stop it with Ctrl-C, or choose another --folder."
            ) from taken
        yield


def _is_from_before_the_first_release(folder: Path) -> bool:
    """Return whether the database is too old to be upgraded; if so, print that the demo starts again."""
    if not (folder / _DATABASE).exists():
        return False
    engine = connect(f"sqlite:///{folder / _DATABASE}")
    try:
        with engine.connect() as connection:
            schema.check_can_upgrade(connection)
    except schema.Outdated as error:
        click.echo(f"{error.problem} The demo starts again with new data.")
        return True
    finally:
        engine.dispose()
    return False


def _clear(folder: Path) -> None:
    """Delete the demo's own files, and no others, from the folder."""
    for name in (_POSTBOX, f".{_DATABASE}-wake"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for file in [folder / _SECRET, folder / _HISTORY, *folder.glob(f"{_DATABASE}*")]:
        file.unlink(missing_ok=True)


class _Startable(Protocol):
    """Something that runs until it is stopped."""

    def start(self) -> None:
        """Start it."""

    def stop(self) -> None:
        """Stop it."""


def _settings(folder: Path, ports: dict[str, int]) -> Settings:
    # Settings in the environment are ignored, so that the demo never uses a real relay or key.
    return Settings.model_construct(
        secret_key=_secret(folder / _SECRET),
        mail_domain="nabu.test",
        base_url=f"http://{_HOST}:{ports['web']}",
        database_url=f"sqlite:///{folder.resolve()}/{_DATABASE}",
        http_listen=f"{_HOST}:{ports['web']}",
        smtp_listen=f"{_HOST}:{ports['listener']}",
        smtp_url=f"smtp://{_HOST}:{ports['postbox']}",
        # The mailbox page authenticates its senders, as their mail servers do otherwise.
        authserv_ids=POSTBOX,
    )


def _secret(file: Path) -> str:
    """Return the demo's secret key; create it at the first start."""
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_hex(32))
    return file.read_text().strip()


def _free_port(wanted: int) -> int:
    """Return the wanted port if it is free, else any free one."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_HOST, wanted))
        except OSError:
            probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
    return port


def _say_hello(settings: Settings, ports: dict[str, int], folder: Path) -> None:
    program, *options = sys.argv
    command = [program]
    if Path(program).stem == "__main__":
        command = ["nabu"] if shutil.which("nabu") else [sys.executable, "-m", "server"]
    again = shlex.join([*command, *(each for each in options if each != "--reset"), "--reset"])
    click.echo(
        f"""Nabu is running. No email leaves this machine.

  every email, and a form to reply      http://{_HOST}:{ports["page"]}
  the web pages                         {settings.base_url}
  mail listener (SMTP)                  {_HOST}:{ports["listener"]}, addresses {settings.plain_address}

Ann ({ANN}) and Ben ({BEN}) are in the middle of two games, and Ann also plays against Enkidu, a
computer player. Open the first address and reply to Ann's email about the game with Enkidu: write a move that
it gives as an example. Enkidu answers in a few seconds. To log in on the web pages, enter Ann's address; the
link arrives in the mailbox.

Press Ctrl-C to stop. The games stay in {folder}; to delete them and start again:
{again}"""
    )

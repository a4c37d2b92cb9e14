"""`nabu demo`: everything on this machine."""

import secrets
import socket
from pathlib import Path
from typing import Protocol

import click

from server.cli.processes import stop_event, wait_for
from server.demo.pages import create_mailbox
from server.demo.postbox import POSTBOX, Postbox
from server.demo.seed import seed
from server.processes.mailroom import Mailroom
from server.processes.services import open_services
from server.processes.worker import Worker
from server.settings import Settings
from server.store import db
from server.store.keys import admit
from server.web import create_app
from server.web.serving import Pages

_HOST = "127.0.0.1"


@click.command()
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("var/demo"),
    show_default=True,
    help="Where the database and the mails are kept; delete it to start afresh.",
)
@click.option(
    "--port", default=8000, show_default=True, help="Port of the web pages; the other ports follow it."
)
def demo(folder: Path, port: int) -> None:
    """Run everything on this machine, with a mailbox page that shows every email and lets you reply."""
    stop = stop_event()
    ports = {
        name: _free_port(port + number) for number, name in enumerate(("web", "page", "listener", "postbox"))
    }
    settings = _settings(folder, ports)
    services = open_services(settings)
    db.upgrade(services.engine)
    admit(services.engine, services.sealer, services.now())
    postbox = Postbox(folder / "postbox")
    world = postbox.listener(_HOST, ports["postbox"])
    room = Mailroom(services)
    worker = Worker(services)
    page = create_mailbox(postbox, (_HOST, ports["listener"]), settings.plain_address, settings.base_url)
    servers = [Pages(create_app(services), _HOST, ports["web"]), Pages(page, _HOST, ports["page"])]
    seed(services)
    parts: list[_Startable] = [world, room, worker, *servers]
    for part in parts:
        part.start()
    _say_hello(settings, ports, folder)
    wait_for(stop)
    click.echo("\nStopping.")
    for part in reversed(parts):
        part.stop()


class _Startable(Protocol):
    """Something that runs until it is stopped."""

    def start(self) -> None:
        """Begin."""

    def stop(self) -> None:
        """End."""


def _settings(folder: Path, ports: dict[str, int]) -> Settings:
    # The environment is ignored: real mail, keys and name servers are no business of the demo's.
    return Settings.model_construct(
        secret_key=_secret(folder / "secret"),
        mail_domain="nabu.test",
        base_url=f"http://{_HOST}:{ports['web']}",
        database_url=f"sqlite:///{folder.resolve()}/nabu.db",
        http_listen=f"{_HOST}:{ports['web']}",
        smtp_listen=f"{_HOST}:{ports['listener']}",
        smtp_url=f"smtp://{_HOST}:{ports['postbox']}",
        # It vouches for those who write on its page, as people's mail servers do.
        authserv_ids=POSTBOX,
    )


def _secret(file: Path) -> str:
    """The demo's own key, made at its first start."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(secrets.token_hex(32))
    return file.read_text().strip()


def _free_port(wanted: int) -> int:
    """The wanted port, or any other that is free when something has it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_HOST, wanted))
        except OSError:
            probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
    return port


def _say_hello(settings: Settings, ports: dict[str, int], folder: Path) -> None:
    click.echo(
        f"""Nabu is running on this machine; nothing leaves it.

  every email, and a form to reply      http://{_HOST}:{ports["page"]}
  the web pages                         {settings.base_url}
  mail listener (SMTP)                  {_HOST}:{ports["listener"]}, addresses {settings.plain_address}

Ann (ann@example.org) and Ben (ben@example.org) are in the middle of two games, and Ann plays the computer.
Open the first address, read one of their emails, reply to it, and see what comes back.
Everything is kept in {folder}. Press Ctrl-C to stop."""
    )

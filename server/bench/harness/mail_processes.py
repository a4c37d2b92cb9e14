"""The measured processes of Nabu: one that takes emails, and one that sends them."""

import logging
from multiprocessing.connection import Connection

from server.processes.mail_process import Mailroom
from server.processes.services import open_services
from server.processes.worker import Worker
from server.settings import Settings

DOMAIN = "bench.test"
"""The domain of the games."""


def settings_for(database_url: str, sink: tuple[str, int]) -> Settings:
    """Return settings for services on this database, whose relay is the sink."""
    return Settings(
        secret_key="b" * 32,
        mail_domain=DOMAIN,
        database_url=database_url,
        smtp_listen="127.0.0.1:0",
        smtp_url=f"smtp://{sink[0]}:{sink[1]}",
        domain_rate=1_000_000,
        log_level="ERROR",
    )


def run_mail_process(settings: Settings, ready: Connection) -> None:
    """Take emails and handle them; send the address to `ready`, and end when anything comes back."""
    logging.getLogger().setLevel(settings.log_level)
    room = Mailroom(open_services(settings))
    room.start()
    ready.send(room.listeners[0].address)
    ready.recv()
    room.stop()


def run_worker(settings: Settings, ready: Connection) -> None:
    """Run the background jobs; send and end as `run_mail_process` does."""
    worker = Worker(open_services(settings))
    worker.start()
    ready.send(("", 0))
    ready.recv()
    worker.stop()

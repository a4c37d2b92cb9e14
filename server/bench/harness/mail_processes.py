"""Nabu as the processes that are measured: one that takes mail, and one that sends it."""

import logging
from multiprocessing.connection import Connection

from server.processes.mail_process import Mailroom
from server.processes.services import open_services
from server.processes.worker import Worker
from server.settings import Settings

DOMAIN = "bench.test"
"""Where the games are played."""


def settings_for(database_url: str, sink: tuple[str, int]) -> Settings:
    """Settings for services on this database, whose relay is the sink."""
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
    """Take mail and handle it; the address is told, and it ends when it is told something."""
    logging.getLogger().setLevel(settings.log_level)
    room = Mailroom(open_services(settings))
    room.start()
    ready.send(room.listeners[0].address)
    ready.recv()
    room.stop()


def run_worker(settings: Settings, ready: Connection) -> None:
    """Do what is due; the same."""
    worker = Worker(open_services(settings))
    worker.start()
    ready.send(("", 0))
    ready.recv()
    worker.stop()

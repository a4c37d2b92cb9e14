"""The floor: SMTP in, one durable commit, two emails out, and nothing else."""

import sqlite3
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection

import psycopg
from sqlalchemy import make_url

from mail.incoming.receiving import Received
from mail.outgoing.delivering import Relay
from server.bench.harness.load import listening


def run_floor(database_url: str, smtp_url: str, reports: tuple[bytes, bytes], ready: Connection) -> None:
    """Serve until the other end of `ready` ends it; first send the address of the listener there."""
    relay = Relay(smtp_url, hostname="floor.test")
    keepers: list[Callable[[bytes], None]] = []

    def store(batch: Sequence[Received]) -> None:
        if not keepers:  # a connection is for the thread that made it
            keepers.append(_keeper(database_url))
        for mail in batch:
            keepers[0](mail.content)
            for report in reports:
                relay.send("bounces@floor.test", mail.mail_from, report)

    with listening("floor.test", store) as address:
        ready.send(address)
        ready.recv()
    relay.close()


def _keeper(database_url: str) -> Callable[[bytes], None]:
    """Return a function that stores an email durably in a table, directly through the database driver."""
    if database_url.startswith("sqlite"):
        file = sqlite3.connect(database_url.removeprefix("sqlite:///"))
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = FULL")
        file.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")

        def keep(raw: bytes) -> None:
            with file:
                file.execute("INSERT INTO mail (raw) VALUES (?)", (raw,))

        return keep
    place = make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
    server = psycopg.connect(place)
    server.execute("CREATE TABLE mail (id bigserial PRIMARY KEY, raw bytea)")

    def send(raw: bytes) -> None:
        server.execute("INSERT INTO mail (raw) VALUES (%s)", (raw,))
        server.commit()

    return send

"""The floor: SMTP in, one durable SQLite commit, two mails out, and nothing else."""

import sqlite3
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from mail.incoming.receiving import Listener, Received
from mail.outgoing.delivering import Relay


def run_floor(folder: Path, smtp_url: str, reports: tuple[bytes, bytes], ready: Connection) -> None:
    """Serve until the other end of `ready` says so; the address of the listener is sent there first."""
    relay = Relay(smtp_url, hostname="floor.test")
    state: dict[str, sqlite3.Connection] = {}

    def store(batch: Sequence[Received]) -> None:
        if "database" not in state:
            state["database"] = _open(folder / "floor.db")
        for mail in batch:
            with state["database"] as database:
                database.execute("INSERT INTO mail (raw) VALUES (?)", (mail.content,))
            for report in reports:
                relay.send("bounces@floor.test", mail.mail_from, report)

    listener = Listener(
        "127.0.0.1",
        0,
        protocol="smtp",
        hostname="floor.test",
        accepts=lambda recipient: None,
        own=lambda peer: True,
        store=store,
    )
    listener.start()
    ready.send(listener.address)
    ready.recv()
    listener.stop()
    relay.close()


def _open(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")
    return database

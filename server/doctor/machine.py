"""Checks of the machine: files, disk, clock, ports."""

import ctypes
import http.client
import os
import smtplib
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import text

from server.doctor.finding import Finding, fine, unknown, wrong
from server.doctor.installation import Installation
from server.settings.value_types import host_and_port
from server.store.database_health import LEAST_FREE, free_space

_LARGEST_JOURNAL = 256_000_000  # bytes
_ASTRAY = timedelta(seconds=10)
_PATIENCE = 5.0  # seconds
_UNSYNCHRONISED = 5
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - to be asked, not to listen on


def settings(installation: Installation) -> Finding:
    """Check that files with secrets are private, and that the texts of the pages can be read."""
    key = installation.settings.dkim_key
    for file in filter(None, (installation.config, Path(key) if key else None)):
        if not file.exists():
            return wrong(f"{file} does not exist.", "Correct NABU_DKIM_KEY, or create the key with nabu setup.")
        if file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
            return wrong(
                f"{file} contains secrets, but others on this machine can read it.", f"Run: chmod 600 {file}"
            )
    folder = installation.settings.pages_folder
    if folder and not os.access(folder, os.R_OK | os.X_OK):
        return wrong(
            f"{folder} with the texts of the pages does not exist, or Nabu cannot read it.",
            "Correct NABU_PAGES_FOLDER, or let the user who runs Nabu read the folder.",
        )
    return fine(str(installation.config) if installation.config else "from the environment")


def disk(installation: Installation) -> Finding:
    """Check whether the disk has room for the database to grow, and for a backup."""
    if installation.file is None:
        return unknown("PostgreSQL's disk cannot be checked from here")
    free = free_space(installation.services.engine) or 0
    needed = max(LEAST_FREE, 2 * installation.file.stat().st_size)
    words = f"{free / 1e9:.1f} GB free in {installation.file.parent}"
    if free < needed:
        return wrong(f"Only {words}.", f"Free {needed / 1e9:.1f} GB or more, so that a backup fits.")
    return fine(words)


def journal(installation: Installation) -> Finding:
    """Check whether SQLite's journal (WAL) is merged into the database regularly."""
    if installation.file is None:
        return unknown("PostgreSQL manages its own journal")
    file = Path(f"{installation.file}-wal")
    size = file.stat().st_size if file.exists() else 0
    words = f"{size / 1e6:.0f} MB"
    if size > _LARGEST_JOURNAL:
        return wrong(
            f"{words}: a process reads the database without ever ending its transaction.",
            "Restart Nabu, and look for programs that copy the database.",
        )
    return fine(words)


def clock(installation: Installation) -> Finding:
    """Check whether this machine's clock is right, compared with the database."""
    now = installation.services.now()
    beats = [beat for beat in (installation.health.worker_at, installation.health.mail_at) if beat is not None]
    if any(beat - now > _ASTRAY for beat in beats):
        return wrong(
            "The database contains a time in the future: this clock is behind, or was ahead.",
            "Set the clock of each machine by NTP (timedatectl set-ntp true), then restart Nabu.",
        )
    if installation.file is None:
        with installation.services.engine.connect() as connection:
            there = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        if abs(there - datetime.now(UTC)) > _ASTRAY:
            return wrong("This machine's clock and that of the database differ.", "Set both by NTP.")
    if _is_adrift():
        return unknown("this machine's clock is not synchronised (timedatectl set-ntp true)")
    return fine(f"{now:%Y-%m-%d %H:%M:%S} UTC")


def ports(installation: Installation) -> Finding:
    """Check whether Nabu listens on all its ports."""
    listening, silent = [], []
    for name, port in _ports(installation):
        try:
            _greet(name, *host_and_port(port))
        except (OSError, http.client.HTTPException) as error:
            silent.append(f"{name} on {port} ({error})")
        else:
            listening.append(f"{name} on {port}")
    if silent:
        return wrong(
            f"No answer from Nabu: {', '.join(silent)}.", "Start Nabu (nabu serve), or look into its log."
        )
    return fine(", ".join(listening))


def _ports(installation: Installation) -> Iterator[tuple[str, str]]:
    settings = installation.settings
    yield "web", settings.http_listen
    if settings.smtp_listen:
        yield "SMTP", settings.smtp_listen
    if settings.lmtp_listen:
        yield "LMTP", settings.lmtp_listen


def _greet(name: str, host: str, port: int) -> None:
    """Connect to a port. Raises OSError or HTTPException if Nabu does not answer."""
    host = _ANYWHERE.get(host, host)
    if name == "web":
        with closing(http.client.HTTPConnection(host, port, timeout=_PATIENCE)) as connection:
            connection.request("GET", "/healthz", headers={"Host": "127.0.0.1"})
            if not connection.getresponse().read().startswith(b"alive"):
                raise OSError("another program answers")
        return
    with (smtplib.SMTP if name == "SMTP" else smtplib.LMTP)(host, port, timeout=_PATIENCE) as client:
        client.ehlo_or_helo_if_needed()


def _is_adrift() -> bool:
    """Return whether the kernel's clock is not synchronised (`adjtimex`, which only reads here)."""
    state = ctypes.create_string_buffer(512)
    return int(ctypes.CDLL(None).adjtimex(state)) == _UNSYNCHRONISED

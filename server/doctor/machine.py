"""The machine: files, disk, clock, ports."""

import ctypes
import http.client
import smtplib
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import text

from server.doctor.finding import Finding, fine, unknown, wrong
from server.doctor.installation import Installation
from server.settings.loading import strange_names
from server.settings.value_types import host_and_port
from server.store.disk import LEAST_FREE, free_space

_LARGEST_JOURNAL = 256_000_000  # bytes
_ASTRAY = timedelta(seconds=10)
_PATIENCE = 5.0  # seconds
_UNSYNCHRONISED = 5
_ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - to be asked, not to listen on


def settings(installation: Installation) -> Finding:
    """Whether secrets are secret, and names that look like settings are some."""
    key = installation.settings.dkim_key
    for file in filter(None, (installation.config, Path(key) if key else None)):
        if not file.exists():
            return wrong(f"{file} is not there.", "Correct NABU_DKIM_KEY, or have nabu setup make the key.")
        if file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
            return wrong(f"{file} holds secrets, and others on this machine can read it.", f"chmod 600 {file}")
    if names := strange_names():
        return wrong(f"{', '.join(names)} in the environment: no settings.", "Correct or remove them.")
    return fine(str(installation.config) if installation.config else "from the environment")


def disk(installation: Installation) -> Finding:
    """Whether the database has room to grow, and to be copied."""
    if installation.file is None:
        return unknown("PostgreSQL's disk cannot be seen from here")
    free = free_space(installation.services.engine) or 0
    needed = max(LEAST_FREE, 2 * installation.file.stat().st_size)
    told = f"{free / 1e9:.1f} GB free in {installation.file.parent}"
    if free < needed:
        return wrong(f"Only {told}.", f"Make room: {needed / 1e9:.1f} GB or more leave room for a backup.")
    return fine(told)


def journal(installation: Installation) -> Finding:
    """Whether SQLite's journal is taken over into the database now and then."""
    if installation.file is None:
        return unknown("PostgreSQL looks after its own")
    file = Path(f"{installation.file}-wal")
    size = file.stat().st_size if file.exists() else 0
    told = f"{size / 1e6:.0f} MB"
    if size > _LARGEST_JOURNAL:
        return wrong(
            f"{told}: something reads the database without an end.", "Restart Nabu; look for copies at work."
        )
    return fine(told)


def clock(installation: Installation) -> Finding:
    """Whether the time is right, as far as this machine and the database know."""
    now = installation.services.now()
    beats = [beat for beat in (installation.health.worker_at, installation.health.mail_at) if beat is not None]
    if any(beat - now > _ASTRAY for beat in beats):
        return wrong(
            "The database holds a time to come: this clock is behind, or was ahead.",
            "Set the clock of each machine by NTP (timedatectl set-ntp true), then restart Nabu.",
        )
    if installation.file is None:
        with installation.services.engine.connect() as connection:
            there = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
        if abs(there - datetime.now(UTC)) > _ASTRAY:
            return wrong("This clock and that of the database differ.", "Set both by NTP.")
    if _is_adrift():
        return unknown("nothing sets this machine's clock (timedatectl set-ntp true)")
    return fine(f"{now:%Y-%m-%d %H:%M:%S} UTC")


def ports(installation: Installation) -> Finding:
    """Whether what should listen does, and is Nabu."""
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
            f"No answer as it should be: {', '.join(silent)}.", "Start Nabu (nabu serve), or see its log."
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
    """Say hello to a service of ours. Raises OSError or HTTPException where it is none."""
    host = _ANYWHERE.get(host, host)
    if name == "web":
        with closing(http.client.HTTPConnection(host, port, timeout=_PATIENCE)) as connection:
            connection.request("GET", "/healthz", headers={"Host": "127.0.0.1"})
            if not connection.getresponse().read().startswith(b"alive"):
                raise OSError("something else answers")
        return
    with (smtplib.SMTP if name == "SMTP" else smtplib.LMTP)(host, port, timeout=_PATIENCE) as client:
        client.ehlo_or_helo_if_needed()


def _is_adrift() -> bool:
    """Whether the kernel knows of nothing that sets its clock (`adjtimex`, which only reads here)."""
    state = ctypes.create_string_buffer(512)
    return int(ctypes.CDLL(None).adjtimex(state)) == _UNSYNCHRONISED

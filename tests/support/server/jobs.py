"""Background jobs, run as by the worker at a moment of the test."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from server.jobs.job import Work
from server.jobs.table import LOBBY
from server.processes.services import Services


def work_of(services: Services, now: Callable[[], datetime] | None = None) -> Work:
    """Return the argument of a job; `now` replaces the clock of the services."""
    return Work(services.engine, services.sealer, now or services.now, services.settings)


def look_after_lobby(services: Services) -> int:
    """Handle all rows of the lobby; return how many there were."""
    found = 0
    while any(rows.run_next(services.engine, services.sealer, services.now()) for rows in LOBBY.rows):
        found += 1
    return found

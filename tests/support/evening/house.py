"""A server of two processes, mail and pages, with a clock that can be put forward while it is idle."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized

from sqlalchemy import Engine
from sqlmodel import Session, select

from server.cli.run import stop_event, wait_for
from server.processes.services import open_services
from server.settings import Settings
from server.settings.value_types import host_and_port
from server.store.db import reading, writing
from server.store.engines import connect
from server.store.models import Heartbeat
from server.web import create_app
from server.web.server import WebServer
from tests.support.e2e.mailboxes import World
from tests.support.e2e.nabu_process import Running, start
from tests.support.forks import FORKS

LONGEST = 200.0
"""Seconds that something may take before the evening is a failure."""
_LOOK = 0.2
"""Seconds between two looks."""


class SharedClock:
    """Return the time, the same in all processes: that of the machine plus the offset."""

    def __init__(self) -> None:
        self._ahead: Synchronized[float] = FORKS.Value("d", 0.0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self._ahead.value)

    def advance(self, step: timedelta) -> None:
        """Put it forward."""
        self._ahead.value += step.total_seconds()


class House:
    """Where people meet: its mail comes in at `listener`, its pages are at `site`."""

    def __init__(self, settings: Settings, world: World) -> None:
        self.settings = settings
        self.world = world
        self.clock = SharedClock()
        self.engine: Engine = connect(settings.database_url)
        self.listener = host_and_port(settings.smtp_listen)
        self.site = settings.base_url
        self._running: list[Running] = []

    def open(self) -> None:
        """Start what runs."""
        self._running = [start(self.settings, now=self.clock), _start_pages(self.settings, self.clock)]

    def close(self) -> None:
        """Stop it."""
        for each in self._running:
            each.stop()
        self._running = []

    def night(self, length: timedelta) -> None:
        """Let time pass without any activity or outage, as the heartbeats show."""
        self.close()
        self.clock.advance(length)
        with writing(self.engine) as session:
            for heartbeat in session.exec(select(Heartbeat)):
                heartbeat.at = self.clock()
        self.open()

    def wait_for(self, left: Callable[[Session], object], all_is_well: Callable[[], None]) -> None:
        """Return when nothing is `left` in the database; `all_is_well` raises when waiting is of no use."""
        end = time.monotonic() + LONGEST
        while True:
            all_is_well()
            with reading(self.engine) as session:
                found = left(session)
            if not found:
                return
            assert time.monotonic() < end, f"still not done: {found}"
            time.sleep(_LOOK)


@contextmanager
def opened(settings: Settings, world: World) -> Iterator[House]:
    """A house for the length of a block."""
    house = House(settings, world)
    house.open()
    try:
        yield house
    finally:
        house.close()
        house.engine.dispose()


def _start_pages(settings: Settings, clock: SharedClock) -> Running:
    ours, theirs = FORKS.Pipe()
    process = FORKS.Process(target=_serve, args=(settings.model_dump(), clock, theirs), daemon=True)
    process.start()
    theirs.close()
    return Running(process, ours.recv())


def _serve(settings: dict[str, object], clock: SharedClock, ready: Connection) -> None:
    stop = stop_event()
    services = open_services(Settings(**settings), clock)  # type: ignore[arg-type]
    where = host_and_port(services.settings.http_listen)
    # All people of the test are at this machine, as behind a proxy of ours.
    pages = WebServer(create_app(services), *where, own=lambda peer: True)
    pages.start()
    ready.send(where)
    wait_for(stop)
    pages.stop()

"""The delay from a move to its event in open pages, with many open event streams."""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil

from flask import Flask

from server.accounts import players
from server.bench.filling.playing import begin, play_on
from server.bench.harness.databases import new_database
from server.bench.harness.processes import Process, cpu_of, cpu_since, mebibytes, settings_for, start
from server.bench.harness.web import cookie_of, run_web
from server.game.log import log
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store import schema
from server.store.db import writing
from server.store.models import Game, Outbox
from server.store.outbox import ActionContext
from server.web import create_app

_PATIENCE = 30.0
"""Seconds after which an event counts as lost."""
_IDLE = 5.0
"""Seconds for which the idle server is measured."""
_OPENING = 32
"""Streams that are opened at the same time."""
_OF_EACH = 8
"""Open pages of one game: at both players, each with several devices."""


@dataclass
class LiveMeasurement:
    """The results: times in seconds from the commit of a move until its event, and until the page is loaded."""

    heard: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    lost: int = 0
    """The number of events that did not arrive."""
    idle: float = 0
    """The CPU time of the web process while nothing happens, as a share of a core."""
    busy: float = 0
    """The same while moves are played."""
    memory: float = 0
    """The memory of the web process, in mebibytes."""


@dataclass(frozen=True)
class OpenPage:
    """An open page of a game, with a logged-in reader."""

    game: int
    cookie: str

    def get(self, path: str, more: str = "") -> bytes:
        """Return a request of this reader; `more` has header lines."""
        return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: nabu={self.cookie}\r\n{more}\r\n".encode()


class _Stream:
    """The event stream of one browser, which shows one page."""

    def __init__(self, page: OpenPage) -> None:
        self.page = page
        self.heard_at: asyncio.Future[float] = asyncio.Future()
        """The time of the next event."""

    async def open(self, address: tuple[str, int]) -> asyncio.Task[None]:
        """Open the stream and wait for its first event; return the task that reads it."""
        reader, writer = await asyncio.open_connection(*address)
        writer.write(self.page.get(f"/events?page=/games/{self.page.game}/now"))
        listening = asyncio.create_task(self._listen(reader, writer))
        await asyncio.wait_for(asyncio.shield(self.heard_at), _PATIENCE)
        return listening

    def listen_again(self) -> None:
        """Wait for another event."""
        self.heard_at = asyncio.Future()

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                if line.startswith(b"data: ") and not self.heard_at.done():
                    self.heard_at.set_result(time.monotonic())
        finally:
            writer.close()


@contextmanager
def opened(count: int) -> Iterator[tuple[Settings, Sequence[OpenPage]]]:
    """Open this many pages over a new database."""
    with new_database(None) as database_url:
        settings = settings_for(database_url, ("127.0.0.1", 1))
        services = open_services(settings)
        schema.upgrade(services.engine)
        app = create_app(services)
        games = [_begin(app, services, number) for number in range(ceil(count / _OF_EACH))]
        pages = [page for pair in games for _ in range(_OF_EACH // 2) for page in pair][:count]
        with writing(services.engine) as session:
            session.execute(Outbox.__table__.delete())  # type: ignore[attr-defined]
        services.close()
        yield settings, pages


def run_live(settings: Settings, pages: Sequence[OpenPage], moves: int, pause: float) -> LiveMeasurement:
    """Open a stream for each page, and play `moves` with a `pause` after each."""
    server, services = start(run_web, settings, True), open_services(settings)
    try:
        return asyncio.run(_measure(server, services, pages, moves, pause))
    finally:
        services.close()
        server.stop()


async def _measure(
    server: Process, services: Services, pages: Sequence[OpenPage], moves: int, pause: float
) -> LiveMeasurement:
    streams, room = [_Stream(page) for page in pages], asyncio.Semaphore(_OPENING)

    async def open_one(stream: _Stream) -> asyncio.Task[None]:
        async with room:
            return await stream.open(server.address)

    listening = await asyncio.gather(*map(open_one, streams))
    found, processes = LiveMeasurement(), {"web": [server.pid]}
    before = cpu_of(processes)
    await asyncio.sleep(_IDLE)
    found.idle = cpu_since(before, processes)["web"] / _IDLE
    games: defaultdict[int, list[_Stream]] = defaultdict(list)
    for stream in streams:
        games[stream.page.game].append(stream)
    before, began = cpu_of(processes), time.monotonic()
    for _ in range(moves):
        number = random.choice(list(games))  # noqa: S311 - no secret
        await _move(services, number, games[number], server.address, found)
        await asyncio.sleep(pause)
    found.busy = cpu_since(before, processes)["web"] / (time.monotonic() - began)
    found.memory = mebibytes(server.pid)
    for task in listening:
        task.cancel()
    return found


async def _move(
    services: Services,
    number: int,
    readers: Sequence[_Stream],
    address: tuple[str, int],
    found: LiveMeasurement,
) -> None:
    """Play a move, and measure when its event reaches the readers, and when the first one has the page."""
    for stream in readers:
        stream.listen_again()
    moved_at = await asyncio.to_thread(_play, services, number)

    async def load(stream: _Stream) -> float:
        await stream.heard_at
        reader, writer = await asyncio.open_connection(*address)
        writer.write(stream.page.get(f"/games/{number}", "Connection: close\r\n"))
        await reader.read(-1)
        writer.close()
        return time.monotonic()

    waiting = [asyncio.ensure_future(load(readers[0])), *(stream.heard_at for stream in readers)]
    done, late = await asyncio.wait(waiting, timeout=_PATIENCE)
    found.lost += sum(each in late for each in waiting[1:])
    for each in late:
        each.cancel()
    found.seen += [each.result() - moved_at for each in waiting[:1] if each in done]
    found.heard += [each.result() - moved_at for each in waiting[1:] if each in done]


def _play(services: Services, number: int) -> float:
    """Play a move; return the time of its commit."""
    with writing(services.engine) as session:
        game = session.get_one(Game, number)
        action = ActionContext(session, services.sealer, datetime.now(UTC))
        play_on(action, game, game.turn, random.randrange)
    return time.monotonic()


def _begin(app: Flask, services: Services, number: int) -> list[OpenPage]:
    """Start a game of two new players, open at both."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, datetime.now(UTC))
        names = [f"P{number} {seat}" for seat in (0, 1)]
        pair = [players.register(action, f"{name.replace(' ', '.')}@example.org", name) for name in names]
        game = begin(action, pair, "nebuchadnezzar", {"size": 5})
    return [OpenPage(log.id_of(game), cookie_of(app, services, player)) for player in pair]

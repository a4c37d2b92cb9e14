"""The delay from a move to its event in open pages, with many open event streams."""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from server.bench.filling.playing import play_on
from server.bench.harness.processes import Process, cpu_of, cpu_since, start
from server.bench.web import OpenPage, memory_of, run_web
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import writing
from server.store.models import Game
from server.store.outbox import ActionContext

_PATIENCE = 30.0
"""Seconds after which an event counts as lost."""
_IDLE = 5.0
"""Seconds for which the idle server is measured."""
_OPENING = 32
"""Streams that are opened at the same time."""


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
    """The memory of the web process, in megabytes."""


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
    found.memory = memory_of(server.pid)
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

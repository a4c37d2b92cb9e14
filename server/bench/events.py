"""The other way to keep pages up to date: events, sent by an asyncio service to pages that stay connected.

Nabu does not do it. This is the least that could do it, for `nabu bench web` to measure beside what Nabu does.
"""

import asyncio
from collections import defaultdict
from multiprocessing.connection import Connection

from sqlmodel import col, select

from server.processes.services import open_services
from server.settings import Settings
from server.store.db import reading
from server.store.models import Game

_LOOK = 1.0  # seconds between two looks for what has changed
_ALIVE = 15.0  # seconds between two lines that keep a connection open
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n"


def run_events(settings: Settings, ready: Connection) -> None:
    """Serve until the other end of `ready` says so; the address is sent there first."""
    asyncio.run(_Events(settings).run(ready))


class _Events:
    """Pages by the number of the game that they show, each a connection at `/GAME`."""

    def __init__(self, settings: Settings) -> None:
        self._engine = open_services(settings).engine
        self._pages: dict[int | None, set[asyncio.StreamWriter]] = defaultdict(set)

    async def run(self, ready: Connection) -> None:
        server = await asyncio.start_server(self._welcome, "127.0.0.1", 0, backlog=4096)
        ready.send(server.sockets[0].getsockname())
        looking, alive = asyncio.create_task(self._look()), asyncio.create_task(self._stay())
        await asyncio.get_running_loop().run_in_executor(None, ready.recv)
        for task in (looking, alive):
            task.cancel()
        self._engine.dispose()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        game = int(head.split()[1].strip(b"/"))
        writer.write(_HEAD)
        self._pages[game].add(writer)
        await reader.read()
        self._pages[game].discard(writer)
        writer.close()

    async def _look(self) -> None:
        """Tell the pages of games that have gone on."""
        known = dict(self._turns())
        while True:
            await asyncio.sleep(_LOOK)
            now = dict(self._turns())
            for game in (number for number, turn in now.items() if known.get(number) != turn):
                for page in self._pages[game]:
                    page.write(b"data: news\n\n")
            known = now

    def _turns(self) -> list[tuple[int | None, int]]:
        with reading(self._engine) as session:
            return list(session.exec(select(Game.id, Game.turn).where(col(Game.state) == "running")))

    async def _stay(self) -> None:
        while True:
            await asyncio.sleep(_ALIVE)
            for pages in self._pages.values():
                for page in pages:
                    page.write(b":\n\n")

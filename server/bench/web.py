"""The cost of many open pages that ask for updates."""

import asyncio
import random
import socket
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from flask import Flask
from flask.sessions import SecureCookieSessionInterface

from server.accounts import players
from server.accounts.login import sessions
from server.bench.filling.playing import begin
from server.bench.harness.databases import new_database
from server.bench.harness.processes import Process, cpu_of, cpu_since, settings_for, start
from server.game.log import log
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store import schema
from server.store.db import writing
from server.store.models import Outbox, Player
from server.store.outbox import ActionContext
from server.web import create_app
from server.web.server import WebServer

_Asking = Coroutine[Any, Any, list[tuple[float, int]]]

_AT_ONCE = 32
"""Simultaneous connections of a proxy in front of the pages: each ends with its answer."""
_OF_EACH = 8
"""Open pages of one game: at both players, each with several devices."""


@dataclass(frozen=True)
class OpenPage:
    """An open page of a game, with a logged-in reader."""

    game: int
    cookie: str

    def get(self, path: str, more: str = "") -> bytes:
        """Return a request of this reader; `more` has header lines."""
        return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: nabu={self.cookie}\r\n{more}\r\n".encode()

    def request(self, mark: str = "") -> bytes:
        """Return a request for updates since the page that has this mark."""
        return self.get(f"/games/{self.game}/now", f'If-None-Match: "{mark}"\r\n' if mark else "")


@dataclass(frozen=True)
class PageMeasurement:
    """The times of answers, in seconds, and their statuses; the CPU seconds of the process that answered."""

    seconds: float
    times: list[float]
    statuses: set[int]
    cpu: float
    memory: float
    """Memory in megabytes."""

    @property
    def rate(self) -> float:
        """Answers per second."""
        return len(self.times) / self.seconds


def within(share: float, times: Sequence[float]) -> float:
    """Return the time within which this share of the answers came, in milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(ceil(share * len(ordered)), len(ordered)) - 1]


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


def run_pages(
    settings: Settings, pages: Sequence[OpenPage], every: float, seconds: float
) -> dict[str, PageMeasurement]:
    """Request updates for each page at this interval; then for all as fast as the server answers."""
    server = start(run_web, settings, True)
    try:
        return asyncio.run(_pages(server, pages, every, seconds))
    finally:
        server.stop()


async def _pages(
    server: Process, pages: Sequence[OpenPage], every: float, seconds: float
) -> dict[str, PageMeasurement]:
    proxy, short = _Proxy(server.address), seconds / 6
    asks = [page.request(await proxy.mark(page)) for page in pages]
    return {
        "asked again": await _measured(server, seconds, [proxy.again(ask, every, seconds) for ask in asks]),
        "at most": await _measured(server, short, [proxy.again(ask, 0, short) for ask in asks[:_AT_ONCE]]),
    }


class _Proxy:
    """Passes requests on to the pages at an address."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self._room = asyncio.Semaphore(_AT_ONCE)

    async def ask(self, request: bytes) -> tuple[int, dict[str, str]]:
        """Return the status and the headers of the answer."""
        async with self._room:
            reader, writer = await asyncio.open_connection(*self._address)
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first, *rest = head.split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in rest)}
            await reader.readexactly(int(headers.get("content-length", 0)))
            writer.close()
        return int(first.split()[1]), headers

    async def mark(self, page: OpenPage) -> str:
        _, headers = await self.ask(page.request())
        return headers["etag"].strip('"')

    async def again(self, request: bytes, every: float, seconds: float) -> list[tuple[float, int]]:
        """Request at this interval for `seconds`; return the delay of each answer after its due
        time, and its status.
        """
        found, ends = [], time.monotonic() + seconds
        await asyncio.sleep(random.random() * every)  # noqa: S311 - the moment is no secret
        while (due := time.monotonic()) < ends:
            status, _ = await self.ask(request)
            found.append((time.monotonic() - due, status))
            await asyncio.sleep(max(0.0, due + every - time.monotonic()))
        return found


async def _measured(server: Process, seconds: float, asking: Sequence[_Asking]) -> PageMeasurement:
    before, processes = time.monotonic(), {"web": [server.pid]}
    cpu = cpu_of(processes)
    answers = [answer for each in await asyncio.gather(*asking) for answer in each]
    spent, passed = cpu_since(cpu, processes)["web"], max(seconds, time.monotonic() - before)
    times, statuses = [seconds for seconds, _ in answers], {status for _, status in answers}
    return PageMeasurement(passed, times, statuses, spent, memory_of(server.pid))


def _begin(app: Flask, services: Services, number: int) -> list[OpenPage]:
    """Start a game of two new players, open at both."""
    with writing(services.engine) as session:
        action = ActionContext(session, services.sealer, datetime.now(UTC))
        names = [f"P{number} {seat}" for seat in (0, 1)]
        pair = [players.register(action, f"{name.replace(' ', '.')}@example.org", name) for name in names]
        game = begin(action, pair, "nebuchadnezzar", {"size": 5})
    return [OpenPage(log.id_of(game), cookie_of(app, services, player)) for player in pair]


def cookie_of(app: Flask, services: Services, player: Player, **more: object) -> str:
    """Log a player in and return the browser's cookie after its first page; `more` is added to the session."""
    with writing(services.engine) as session:
        if sessions.recognised(session, players.identity(player), player.login_serial) is None:
            sessions.begin(session, datetime.now(UTC), player, "A browser")
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    said = {"player": players.identity(player), "login": player.login_serial, "_permanent": True, **more}
    browser = app.test_client()
    browser.set_cookie("nabu", "" if signer is None else str(signer.dumps(said)))
    browser.get("/colours")
    cookie = browser.get_cookie("nabu")
    return "" if cookie is None else cookie.value


def run_web(settings: Settings, behind_proxy: bool, ready: Connection) -> None:
    """Serve the pages as `nabu web` does; without a proxy in front, each address has only its share."""
    services = open_services(settings)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    pages = WebServer(create_app(services), *address, own=lambda peer: behind_proxy)
    pages.start()
    ready.send(address)
    ready.recv()
    pages.stop()
    services.close()


def memory_of(process: int) -> float:
    """Return the memory of a process in megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1000

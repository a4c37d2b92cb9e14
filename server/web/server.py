"""The web server: the pages on a port of this machine, with or without a proxy in front.

Uvicorn reads requests and writes responses in one thread, so no other thread waits for a client (see
`wsgi_bridge`). It reads only a few requests ahead from a client that has not read its responses. `connections`
decides which clients are accepted, and disconnects those that are too slow, even in the middle of a response or
a stream. Networks take turns, and each can use only a few of the threads (see `wsgi_bridge`).
"""

import asyncio
import gc
import resource
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from math import ceil
from typing import cast

from flask import Flask
from uvicorn import Config, Server

from server.web.connections import LIMITS, AdmissionControl, Connection, Limits
from server.web.shared.streams import Streams
from server.web.wsgi_bridge import WsgiBridge

_LARGEST_HEAD = 16_384
_GRACE = 5
"""Seconds for requests that are being answered when the server stops."""
_LAST = 0.1
"""Seconds for closing connections to end before the server stops."""
_FILES = 100
"""Files that a process opens besides connections, at most."""


class WebServer:
    """An application on one port, in separate threads.

    `own(peer)` returns whether an IP address belongs to a trusted proxy. The limits for one network do not
    apply to it, because it buffers requests itself and forwards those of all visitors. `beat` is called every
    second while the server works.
    """

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        *,
        own: Callable[[str], bool] = lambda peer: False,
        limits: Limits = LIMITS,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._doors = AdmissionControl(own, limits)
        self._beat = beat
        self._bridge = WsgiBridge(app, self._doors)
        config = Config(
            self._bridge,
            http=cast(type[asyncio.Protocol], partial(Connection, self._doors)),
            h11_max_incomplete_event_size=_LARGEST_HEAD,
            timeout_keep_alive=ceil(limits.asking),
            timeout_graceful_shutdown=_GRACE,
            interface="asgi3",
            loop="asyncio",
            ws="none",
            lifespan="off",
            # The application decides which headers to trust (`connections.look_behind`).
            proxy_headers=False,
            server_header=False,
            access_log=False,
            log_config=None,
            log_level="error",  # strangers cause the warnings
        )
        self._server = _Server(config)
        self._sockets = _listen(host, port, config.backlog)
        self._streams = [each for each in app.extensions.values() if isinstance(each, Streams)]
        self._thread = threading.Thread(target=self._run, name="connections", daemon=True)
        _allow_files(limits.connections.most + _FILES)

    @property
    def gathered(self) -> int:
        """The number of buffered bytes of requests that are incomplete or being answered."""
        return self._doors.gathered.total

    @property
    def unread(self) -> int:
        """The number of bytes that were sent and that clients have not read yet."""
        return sum(connection.unread for connection in self._doors.connections)

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._doors.connections)

    def start(self) -> None:
        """Start to serve requests."""
        self._thread.start()

    def stop(self) -> None:
        """Stop accepting connections; return when the current requests are answered."""
        self._server.end()
        for streams in self._streams:
            streams.stop()
        if self._thread.is_alive():
            self._thread.join()
        for each in self._sockets:
            each.close()
        self._bridge.stop()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        watching = asyncio.create_task(self._doors.watch(self._beat))
        await self._server.serve(self._sockets)
        watching.cancel()


class _Server(Server):
    """Uvicorn's server, which looks every second instead of ten times a second if it should end."""

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = asyncio.Event()

    def end(self) -> None:
        """Stop the server soon; callable from any thread."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # it has stopped already
                self._loop.call_soon_threadsafe(self._ending.set)

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._ending.wait()
        await asyncio.sleep(_LAST)


def keep_what_is_loaded() -> None:
    """Exclude the objects that are loaded by now from garbage collection, as they are kept to the end.

    These are 200,000 objects: a collection over them takes 120 ms and would delay a response.
    """
    gc.collect()
    gc.freeze()


def _listen(host: str, port: int, backlog: int) -> list[socket.socket]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    listening = [
        socket.create_server(address[:2], family=family, backlog=backlog)
        for family, address in dict.fromkeys((family, address) for family, _, _, _, address in found)
    ]
    for each in listening:
        # Otherwise a response of several pieces waits for the client's delayed acknowledgement.
        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _allow_files(most: int) -> None:
    """Let this process open this many files, if the system permits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < most:
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))

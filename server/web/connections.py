"""The connections of the web server: which are accepted, and which are closed because they wait too long.

Uvicorn reads requests and writes responses. This module limits what Uvicorn does not: how long a connection may
wait for the rest of a request or for its client to read, the number of open and of new connections, and the
size of buffered requests, both per network and in total. If there is no room for another connection, the one
that has waited longest is closed. Behind trusted proxies, the client of the first one counts. `Connection`
overrides only the constructor, the methods of `asyncio.Protocol`, and `shutdown`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Flask
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from mail.incoming.peers import ConnectionPool, Lease, Networks, Quota, is_address, network_of, within
from mail.incoming.rates import RateLimit

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_MOST_PROXIES = 10
"""The longest chain of proxies. Entries further left in the header were not written by a trusted proxy."""
_LOOK = 1  # seconds between two checks for connections that have waited too long


def look_behind(app: Flask, proxies: Networks) -> None:
    """Set `request.remote_addr` to the client of the first trusted proxy; ignore headers of other clients."""
    inner: Wsgi = app.wsgi_app

    def outer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        peer, forwarded = environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", "")
        environ["REMOTE_ADDR"] = asking(peer, forwarded, partial(within, networks=proxies))
        return inner(environ, start)

    app.wsgi_app = outer  # type: ignore[assignment, method-assign]  # as Flask says


def asking(peer: str, forwarded: str, own: Callable[[str], bool]) -> str:
    """Return the client's IP address: each `own` proxy has appended its client to the header `forwarded`."""
    for named in reversed(forwarded.rsplit(",", _MOST_PROXIES)[-_MOST_PROXIES:]):
        if not own(peer) or not is_address(named.strip()):
            break
        peer = named.strip()
    return peer


@dataclass(frozen=True)
class Limits:
    """The limits of a server. Times are in seconds.

    `connections`: open connections. `gathered`: bytes of buffered requests. `opened`: new connections from one
    network in a burst; after that, `opened_a_second`.

    `asking`: time to send a complete request. `reading`: time until the client has read everything that was
    sent. `stalling`: time in which it must read some of it.
    """

    connections: Quota
    gathered: Quota
    opened: int = 100
    opened_a_second: float = 10
    asking: float = 60.0
    reading: float = 300.0
    stalling: float = 60.0


LIMITS = Limits(
    connections=Quota(most=3000, ours=100, each=32),
    gathered=Quota(most=200_000_000, ours=100_000_000, each=50_000_000),
)


class AdmissionControl:
    """Decides which connections to accept and which to close. Used by the thread of the event loop only.

    `own(peer)` returns whether an IP address belongs to a trusted proxy.
    """

    def __init__(self, own: Callable[[str], bool], limits: Limits) -> None:
        self.limits = limits
        self.gathered = ConnectionPool(limits.gathered)
        self.connections: set[Connection] = set()
        self._own = own
        self._room = ConnectionPool(limits.connections)
        self._opened = RateLimit(limits.opened, limits.opened_a_second)

    def admit(self, peer: str) -> Lease | None:
        """Admit a new connection, if necessary by closing another one. Return None if it is refused."""
        guest = Lease(self._room, self.gathered, network_of(peer), self._own(peer))
        if not guest.own and self._opened.wait(time.monotonic(), guest.place):
            return None
        while not guest.enters():
            waiting = [connection for connection in self.connections if not connection.is_answering]
            neighbours = [connection for connection in waiting if connection.guest.place == guest.place]
            strangers = [connection for connection in waiting if not connection.guest.own]
            full = self._room.had(guest.place) >= self.limits.connections.each and not guest.own
            leaving = neighbours if full else strangers or neighbours
            if not leaving:
                return None
            min(leaving, key=lambda connection: connection.since).close()
        return guest

    def network(self, peer: str, forwarded: str) -> str:
        """Return the network that a request comes from; "" for trusted proxies."""
        client = asking(peer, forwarded, self._own)
        return "" if self._own(client) else network_of(client)

    async def watch(self, beat: Callable[[], None]) -> None:
        """Close all connections that have waited too long, every second, and call `beat`."""
        while True:
            await asyncio.sleep(_LOOK)
            beat()
            now = time.monotonic()
            for connection in list(self.connections):
                connection.close_if_late(now)


class Connection(H11Protocol):
    """A connection of a client.

    `since` is the time from which it has waited: for a request, or for its rest. `up_to_date` is the last time
    at which the client had read all that was sent, `sent` the last time at which it read any part of it.
    """

    guest: Lease

    def __init__(
        self,
        doors: AdmissionControl,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, {**app_state, "connection": self}, _loop)
        self.is_answering = False
        self.since = self.up_to_date = self.sent = time.monotonic()
        self._doors = doors
        self._unread = 0

    @property
    def unread(self) -> int:
        """The number of bytes that the client has not read yet."""
        return self.transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as Uvicorn does
        """Admit the connection or close it."""
        peer = transport.get_extra_info("peername")
        guest = self._doors.admit(str(peer[0]))
        if guest is None:
            transport.abort()
            return
        self.guest = guest
        self._doors.connections.add(self)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the room of the connection."""
        if hasattr(self, "guest"):
            self._leave()
            super().connection_lost(exc)

    def resume_writing(self) -> None:
        """Note that the client has read a part of the response, and go on."""
        self.sent = time.monotonic()
        super().resume_writing()

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Do not count the time of the block as waiting for the client's request."""
        self.is_answering = True
        try:
            yield
        finally:
            self.is_answering = False
            self.since = time.monotonic()
            self.guest.has_brought()

    def close_if_late(self, now: float) -> None:
        """Close the connection if it has waited too long."""
        limits, unread = self._doors.limits, self.unread
        if unread < self._unread:
            self.sent = now
        self._unread = unread
        if unread:
            late = now - self.up_to_date > limits.reading
            late = late or now - max(self.up_to_date, self.sent) > limits.stalling
        else:
            self.up_to_date = now
            late = not self.is_answering and now - self.since > limits.asking
        if late:
            self.close()

    def shutdown(self) -> None:
        """Close the connection, now or after the current response, because the server stops."""
        if self.is_answering:
            super().shutdown()
        else:
            self.close()

    def close(self) -> None:
        """Close the connection immediately, with its unread response, and free its room."""
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        self._doors.connections.discard(self)
        self.guest.has_brought()
        self.guest.leaves()

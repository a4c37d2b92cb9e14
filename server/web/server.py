"""The web server: the pages on a port of this machine, with or without a proxy in front.

waitress buffers a complete request before a thread works on it. This module limits what waitress does not: how
long a connection may wait for the rest of a request, the number of open and of new connections, and the size of
buffered requests, both per network and in total. If there is no room for another connection, the server closes
the one that has waited longest.

No thread waits for a client to read: responses are complete before they are sent, and only few are pending,
because a client that sends many requests without waiting for responses is disconnected. A client that reads
nothing for a minute is also disconnected, even in the middle of a response or an event stream. Networks take
turns, and each can use only a few of the threads (see `fair_queue`).

Event streams last for minutes. They have separate threads, so that no page waits for them.
"""

from __future__ import annotations

import copy
import gc
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import Error

from mail.incoming.peers import ConnectionPool, Lease, Quota, network_of
from mail.incoming.rates import RateLimit
from server.limits import LARGEST_RECORD_ON_WEB, MOST_STREAMS, MOST_STREAMS_OF_NETWORK
from server.web import mail_webhooks
from server.web.api import events
from server.web.fair_queue import FairDispatcher
from server.web.proxies import asking

_LARGEST_HEAD = 16_384
_LARGEST_FORM = 2 * LARGEST_RECORD_ON_WEB
"""Bytes; for a form that is only a little too large, the page itself shows the error."""
_MAILS = f"{mail_webhooks.pages.url_prefix}/"
_IN_MEMORY = 65_536  # bytes of a request; the rest is buffered in a file
_AT_ONCE = 65_536  # bytes
_MOST_PIPELINED = 4
"""Requests that a client may send before it gets the first response; browsers and proxies send one."""
_UNREAD = 100_000_000
"""Bytes of pending responses at which a thread would wait: far more than `_MOST_PIPELINED` responses have."""
_THREADS, THREADS_EACH = 8, 2
"""Threads for requests, and the most that one network can use."""
_PATIENT_THREADS, _PATIENT_THREADS_EACH = MOST_STREAMS + 4, MOST_STREAMS_OF_NETWORK + 1
"""Threads for streams, with a few more to refuse further ones."""
_LOOK = 1  # seconds between two checks for connections that have waited too long


@dataclass(frozen=True)
class Limits:
    """The limits of a server. Times are in seconds.

    `connections`: open connections. `gathered`: bytes of buffered requests. `opened`: new connections from one
    network in a burst; after that, `opened_a_second`.

    `asking`: time to send a complete request. `reading`: time to read all pending responses. `stalling`: time
    to read any part of a response.
    """

    connections: Quota
    gathered: Quota
    opened: int = 100
    opened_a_second: float = 10
    asking: float = 60.0
    reading: float = 300.0
    stalling: float = 60.0


LIMITS = Limits(
    connections=Quota(most=500, ours=100, each=32),
    gathered=Quota(most=200_000_000, ours=100_000_000, each=50_000_000),
)


class WebServer:
    """An application on one port, in separate threads.

    `own(peer)` returns whether an IP address belongs to a trusted proxy. The limits for one network do not
    apply to it, because it buffers requests itself and forwards those of all visitors.
    """

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        *,
        own: Callable[[str], bool] = lambda peer: False,
        limits: Limits = LIMITS,
    ) -> None:
        settings = Adjustments(
            host=host,
            port=port,
            threads=_THREADS,
            ident=None,
            # The application decides which headers to trust (`proxies`).
            clear_untrusted_proxy_headers=False,
            max_request_header_size=_LARGEST_HEAD,
            # By default it would write up to a gigabyte to the disk before the application sees the request.
            max_request_body_size=mail_webhooks.LARGEST_REQUEST + 1,
            inbuf_overflow=_IN_MEMORY,
            recv_bytes=_AT_ONCE,
            outbuf_high_watermark=_UNREAD,
            cleanup_interval=_LOOK,
            connection_limit=2 * limits.connections.most + 10,  # never reached because of `_AdmissionControl`
            asyncore_use_poll=True,
        )
        self._sockets: dict[int, Any] = {}
        self._doors = _AdmissionControl(own, limits, self._sockets)
        workers = FairDispatcher(_THREADS, THREADS_EACH, self._doors.asking)
        patient = FairDispatcher(_PATIENT_THREADS, _PATIENT_THREADS_EACH, self._doors.asking)
        self._dispatchers = (workers, patient)
        self._servers = [
            _Server(self._doors, patient, app, self._sockets, dispatcher=workers, adj=settings, sockinfo=place)
            for place in settings.listen
        ]
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def gathered(self) -> int:
        """The number of buffered bytes of requests that are incomplete or being answered."""
        return self._doors.gathered.total

    @property
    def unread(self) -> int:
        """The number of bytes of responses that clients have not read yet."""
        return sum(channel.total_outbufs_len for channel in self._doors.channels())

    def start(self) -> None:
        """Start to serve requests."""
        self._thread.start()

    def stop(self) -> None:
        """Stop accepting connections; threads end after their current request."""
        for server in self._servers:
            server.close()
        for dispatcher in self._dispatchers:
            dispatcher.set_thread_count(0)

    def _run(self) -> None:
        wasyncore.loop(timeout=1, map=self._sockets, use_poll=True)


def keep_what_is_loaded() -> None:
    """Exclude the objects that are loaded by now from garbage collection, as they are kept to the end.

    These are 200,000 objects: a collection over them takes 120 ms and would delay a response.
    """
    gc.collect()
    gc.freeze()


class _AdmissionControl:
    """Decides which connections to accept and which to close, in the one thread that reads from all of them."""

    def __init__(self, own: Callable[[str], bool], limits: Limits, sockets: dict[int, Any]) -> None:
        self.limits = limits
        self.gathered = ConnectionPool(limits.gathered)
        self._own = own
        self._sockets = sockets
        self._connections = ConnectionPool(limits.connections)
        self._opened = RateLimit(limits.opened, limits.opened_a_second)

    def guest(self, peer: str) -> Lease | None:
        """Admit a new connection, if necessary by closing another one. Return None if it is refused."""
        guest = Lease(self._connections, self.gathered, network_of(peer), self._own(peer))
        if not guest.own and self._opened.wait(time.monotonic(), guest.place):
            return None
        while not guest.enters():
            waiting = [channel for channel in self.channels() if not channel.requests]
            neighbours = [channel for channel in waiting if channel.guest.place == guest.place]
            strangers = [channel for channel in waiting if not channel.guest.own]
            full = self._connections.had(guest.place) >= self.limits.connections.each and not guest.own
            leaving = neighbours if full else strangers or neighbours
            if not leaving:
                return None
            min(leaving, key=lambda channel: channel.since).handle_close()
        return guest

    def asking(self, channel: _Channel) -> str:
        """Return the network that the next request of a connection comes from; "" for trusted proxies."""
        who = asking(channel.addr[0], channel.requests[0].headers.get("X_FORWARDED_FOR", ""), self._own)
        return "" if self._own(who) else network_of(who)

    def look(self, now: float) -> None:
        """Close all connections that have waited too long."""
        for channel in self.channels():
            channel.release()
            if channel.total_outbufs_len:
                late = now - channel.up_to_date > self.limits.reading
                late = late or now - max(channel.up_to_date, channel.sent) > self.limits.stalling
            else:
                channel.up_to_date = now
                late = not channel.requests and now - channel.since > self.limits.asking
            if late:
                channel.handle_close()

    def channels(self) -> list[_Channel]:
        """Return all connections."""
        return [each for each in list(self._sockets.values()) if isinstance(each, _Channel)]


class _Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """A listening socket."""

    def __init__(self, doors: _AdmissionControl, patient: FairDispatcher, *given: Any, **named: Any) -> None:
        self._doors = doors
        self._patient = patient
        self.channel_class = self._admit
        super().__init__(*given, **named)

    def maintenance(self, now: float) -> None:
        """waitress calls this every `_LOOK` seconds."""
        self._doors.look(time.monotonic())

    def add_task(self, task: Any) -> None:
        """Queue a connection's next request. Streams get separate threads, so that no page waits for them."""
        streams = bool(task.requests) and task.requests[0].path == events.PATH
        (self._patient if streams else self.task_dispatcher).add_task(task)

    def _admit(self, server: Any, connection: Any, address: Any, settings: Any, map: Any) -> None:
        guest = self._doors.guest(str(address[0]))
        if guest is None:
            connection.close()
            return
        try:
            _Channel(guest, server, connection, address, settings, map=map)
        except OSError:
            guest.leaves()
            connection.close()


class _Task(WSGITask):  # type: ignore[misc]  # the same
    """A task that closes the connection of a client which sends too many requests or has no valid token.

    New connections are limited, so such a client is slowed down.
    """

    def build_response_header(self) -> bytes:
        if self.status.startswith(("401", "429")) and not self.channel.guest.own:
            self.set_close_on_finish()
        head: bytes = super().build_response_header()
        return head


class _Channel(HTTPChannel):  # type: ignore[misc]  # the same
    """A connection.

    `since` is the time from which it has waited: for a request, for its rest, or for the client to read the
    response. `up_to_date` is the last time at which the client had read all responses, `sent` the last time at
    which it read any part of one.
    """

    task_class = _Task

    def __init__(self, guest: Lease, *given: Any, **named: Any) -> None:
        self.guest = guest
        self.since = self.up_to_date = self.sent = time.monotonic()
        self.parser_class = self._next_request
        super().__init__(*given, **named)

    def received(self, data: bytes) -> bool:
        self.up_to_date = time.monotonic()  # waitress receives nothing while a response is pending
        if self.request is None and not self.requests:
            self.release()
            self.since = time.monotonic()
        read: bool = super().received(data)
        if len(self.requests) > _MOST_PIPELINED:
            self.handle_close()
        return read

    def _next_request(self, settings: Any) -> HTTPRequestParser:
        """Return the parser of the next request; once there are too many, one that discards them."""
        surplus = len(self.requests) > _MOST_PIPELINED
        return _Surplus(settings) if surplus else _Request(settings, self.guest)

    def send(self, data: bytes, do_close: bool = True) -> int:
        sent: int = super().send(data, do_close=do_close)
        if sent:
            self.sent = time.monotonic()
        return sent

    def service(self) -> None:
        # Set it before as well: otherwise the connection would seem to have waited during the whole request.
        self.since = time.monotonic()
        super().service()
        self.since = time.monotonic()

    def release(self) -> None:
        """Release the buffered bytes when no request is left."""
        if self.request is None and not self.requests:
            self.guest.has_brought()

    def handle_close(self) -> None:
        """Close immediately: `will_close` alone would never disconnect a client that does not read."""
        self.will_close = True
        super().handle_close()
        if self.request is not None:
            self.request.close()

    def del_channel(self, map: Any = None) -> None:
        """waitress calls this when the connection closes."""
        super().del_channel(map)
        self.guest.has_brought()
        self.guest.leaves()


class _ServerBusy(Error):  # type: ignore[misc]  # the same
    code = 503
    reason = "Service Unavailable"


class _Surplus(HTTPRequestParser):  # type: ignore[misc]  # the same
    """A parser that discards the bytes after too many requests."""

    def received(self, data: bytes) -> int:
        self.completed = self.empty = True
        return len(data)


class _Request(HTTPRequestParser):  # type: ignore[misc]  # the same
    """An incoming request. Only requests with emails may be large, and only while there is room."""

    adj: Any
    completed: bool

    def __init__(self, settings: Any, guest: Lease) -> None:
        super().__init__(settings)
        self._guest = guest

    def parse_header(self, head: bytes) -> None:
        super().parse_header(head)
        if not self.path.startswith(_MAILS):
            self.adj = copy.copy(self.adj)
            self.adj.max_request_body_size = _LARGEST_FORM

    def received(self, data: bytes) -> int:
        before = self.body_bytes_received
        read: int = super().received(data)
        more = self.body_bytes_received - before
        if more and not self.completed and not self._guest.brings(more):
            self.error = _ServerBusy("too many large requests at the same time; please try again later")
            self.completed = True
            self._guest.has_brought()
        return read

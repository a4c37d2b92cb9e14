"""Pages on a port of this machine, for the world or for a proxy in front of them.

waitress gathers whole requests before a thread works on one. What it leaves unbounded is limited here: how long
a connection may wait for the rest of a request, how many connections there are, how many of them are new, and
how much of requests is gathered, from one place and in all. When there is no room for another connection, the
one waiting longest is cut.

No thread waits for a client to read: answers are complete when they are written, and few are pending at once,
because a client that sends many requests without waiting for answers is disconnected. A client that reads
nothing for a minute is disconnected as well, even in the middle of an answer or of a stream of events. Networks
take turns, and none has more than a few of the threads (see `fair`).

Streams of events last for minutes: they have threads of their own, so that none of the others waits for them.
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
"""Bytes: if something is only a little too large for a page, the page itself says so."""
_MAILS = f"{mail_webhooks.pages.url_prefix}/"
_IN_MEMORY = 65_536  # bytes of a request; what is more goes to a file
_AT_ONCE = 65_536  # bytes
_MOST_PIPELINED = 4
"""Requests that a client sends before it gets the first answer; browsers and proxies send one."""
_UNREAD = 100_000_000
"""Bytes of pending answers at which a thread would wait: far more than `_MOST_PIPELINED` of them have."""
_THREADS, THREADS_EACH = 8, 2
"""Threads for requests, and those that one network has at most."""
_PATIENT_THREADS, _PATIENT_THREADS_EACH = MOST_STREAMS + 4, MOST_STREAMS_OF_NETWORK + 1
"""Those of streams, and some to refuse one more."""
_LOOK = 1  # seconds between two looks for who has waited for too long


@dataclass(frozen=True)
class Limits:
    """`connections`: how many are open. `gathered`: bytes of requests. Times are in seconds.

    `opened`: new connections from one place at once; after that, `opened_a_second`.

    `asking`: to send a complete request. `reading`: to read all pending answers. `stalling`: to read any part.
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
    """An application on one port, in threads of its own.

    `own(peer)` says whether an IP address is that of a proxy of ours, which gathers requests itself and has
    everyone behind it: the limits for one place do not apply to it.
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
            # The application knows whose header to believe (`proxies`).
            clear_untrusted_proxy_headers=False,
            max_request_header_size=_LARGEST_HEAD,
            # By itself it would write anyone's gigabyte to the disk before the application is asked.
            max_request_body_size=mail_webhooks.LARGEST_REQUEST + 1,
            inbuf_overflow=_IN_MEMORY,
            recv_bytes=_AT_ONCE,
            outbuf_high_watermark=_UNREAD,
            cleanup_interval=_LOOK,
            connection_limit=2 * limits.connections.most + 10,  # never reached: `_AdmissionControl` see to that
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
        """Bytes of requests that are half sent or being answered."""
        return self._doors.gathered.total

    @property
    def unread(self) -> int:
        """Bytes of answers that clients have not read yet."""
        return sum(channel.total_outbufs_len for channel in self._doors.channels())

    def start(self) -> None:
        """Begin to answer."""
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
    """Look no more for garbage in what a process has loaded by now, which it keeps to its end.

    These are 200,000 objects: going through them takes 120 ms, in the middle of an answer.
    """
    gc.collect()
    gc.freeze()


class _AdmissionControl:
    """Decides who is let in and who has to go, in the one thread that reads from all connections."""

    def __init__(self, own: Callable[[str], bool], limits: Limits, sockets: dict[int, Any]) -> None:
        self.limits = limits
        self.gathered = ConnectionPool(limits.gathered)
        self._own = own
        self._sockets = sockets
        self._connections = ConnectionPool(limits.connections)
        self._opened = RateLimit(limits.opened, limits.opened_a_second)

    def guest(self, peer: str) -> Lease | None:
        """Return a new connection, if necessary in place of another one; None if it is refused."""
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
        """The network that the next request of a connection comes from; "" for our own computers."""
        who = asking(channel.addr[0], channel.requests[0].headers.get("X_FORWARDED_FOR", ""), self._own)
        return "" if self._own(who) else network_of(who)

    def look(self, now: float) -> None:
        """Hang up on all who have waited for too long."""
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
        """All connections."""
        return [each for each in list(self._sockets.values()) if isinstance(each, _Channel)]


class _Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """One address where connections come in."""

    def __init__(self, doors: _AdmissionControl, patient: FairDispatcher, *given: Any, **named: Any) -> None:
        self._doors = doors
        self._patient = patient
        self.channel_class = self._admit
        super().__init__(*given, **named)

    def maintenance(self, now: float) -> None:
        """waitress calls this every `_LOOK` seconds."""
        self._doors.look(time.monotonic())

    def add_task(self, task: Any) -> None:
        """Have a connection's next request answered; a stream in a thread apart, as no page may wait for it."""
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
    """Answers a request, and closes the connection of a client that asks too fast or has no valid token.

    New connections are limited, so that such a client cannot go on as fast as it is refused.
    """

    def build_response_header(self) -> bytes:
        if self.status.startswith(("401", "429")) and not self.channel.guest.own:
            self.set_close_on_finish()
        head: bytes = super().build_response_header()
        return head


class _Channel(HTTPChannel):  # type: ignore[misc]  # the same
    """A connection; `since` is when it began to wait: for a request, its rest, or the answer to be read.

    `up_to_date` is when the client last had read all answers, `sent` when it last took any part of one.
    """

    task_class = _Task

    def __init__(self, guest: Lease, *given: Any, **named: Any) -> None:
        self.guest = guest
        self.since = self.up_to_date = self.sent = time.monotonic()
        self.parser_class = self._next_request
        super().__init__(*given, **named)

    def received(self, data: bytes) -> bool:
        self.up_to_date = time.monotonic()  # waitress receives nothing while an answer is pending
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
        # Before as well, or just after the answer it would seem to have been waiting all the while.
        self.since = time.monotonic()
        super().service()
        self.since = time.monotonic()

    def release(self) -> None:
        """Once answered, what was gathered is gone."""
        if self.request is None and not self.requests:
            self.guest.has_brought()

    def handle_close(self) -> None:
        """Close at once: `will_close` waits until it can write, so a peer that does not read would never go."""
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
    """Discards the bytes after too many requests."""

    def received(self, data: bytes) -> int:
        self.completed = self.empty = True
        return len(data)


class _Request(HTTPRequestParser):  # type: ignore[misc]  # the same
    """A request as it comes in: only mails may be large, while there is room."""

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
            self.error = _ServerBusy("too much is coming in at once; please try again later")
            self.completed = True
            self._guest.has_brought()
        return read

"""Hostile clients, each in its own process; they use up one entry point each."""

from __future__ import annotations

import http.client
import http.server
import os
import smtplib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection

from server.web.api import events

ADDRESS = "127.0.0.2"
"""The source address of hostile connections."""
NETWORK = "203.0.113.7"
"""The IP address that hostile requests claim to come from."""
STREAM = events.PATH
CALL = "/api/v1/games"

_PATIENCE = 2.0  # seconds
_PAUSE = 0.01
"""Seconds between a lost connection and the next attempt."""
_DRIP = 0.1
"""Seconds between two bytes."""
_HALF = b"x" * 900_000 + b"\r\n"
_LARGE = b"From: x@flood.test\r\nSubject: x\r\n\r\n" + 60_000 * (b"x" * 70 + b"\r\n") + b".\r\n"
_PIPELINED = 4
"""Requests that a client may send before it reads an answer; with more the server disconnects it."""
_BUFFER = 4096
"""Bytes that a client's kernel accepts for it, so that unread answers soon fill it."""

_Address = tuple[str, int]
_Attack = Callable[[], Iterator[int]]
"""Attack once; yields the number of requests made since the last time."""


def run(entry: str, address: _Address, recipient: str, tokens: Sequence[str], ready: Connection) -> None:
    """Flood an entry point until something arrives on `ready`; then send the number of requests made.

    This process runs at the lowest priority, because a real attacker would not use CPU time of this computer.
    """
    os.nice(19)
    attacks = _attacks(entry, address, recipient, tokens)
    ended = threading.Event()
    with ThreadPoolExecutor(len(attacks)) as threads:
        counts = [threads.submit(_repeat, attack, ended) for attack in attacks]
        ready.send(address)
        ready.recv()
        ended.set()
        ready.send(sum(count.result() for count in counts))


def _attacks(entry: str, address: _Address, recipient: str, tokens: Sequence[str]) -> Sequence[_Attack]:
    """The attacks on an entry point, each for a thread: a few more than it may have connections."""
    match entry:
        case "smtp" | "lmtp":
            sort = smtplib.LMTP if entry == "lmtp" else smtplib.SMTP
            halves, larges = (partial(each, sort, address, recipient) for each in (_send_half, _send_large))
            return [*12 * [halves], *12 * [larges]]
        case "web":
            return [*20 * [partial(_pipeline, address)], *20 * [partial(_send_slowly, address)]]
        case "api":
            return 32 * [partial(_call, address, tokens[0])]
        case "streams":
            return [partial(_listen, address, token) for token in tokens for _ in range(2)]
    raise ValueError(entry)


def _repeat(attack: _Attack, ended: threading.Event) -> int:
    """Attack again and again; return the number of requests made."""
    count = 0
    while not ended.is_set():
        with suppress(OSError, smtplib.SMTPException, http.client.HTTPException):
            for made in attack():
                count += made
                if ended.is_set():
                    break
        ended.wait(_PAUSE)
    return count


def _begin_mail(client: smtplib.SMTP, recipient: str) -> bool:
    """Get as far as the text of an email; return whether the server accepts it."""
    client.ehlo_or_helo_if_needed()
    client.mail("x@flood.test")
    client.rcpt(recipient)
    return client.docmd("data")[0] == 354


def _mail_client(sort: type[smtplib.SMTP], address: _Address) -> smtplib.SMTP:
    named = {"local_hostname": "flood.test", "source_address": (ADDRESS, 0), "timeout": _PATIENCE}
    return sort(*address, **named)  # type: ignore[arg-type]


def _send_half(sort: type[smtplib.SMTP], address: _Address, recipient: str) -> Iterator[int]:
    """Send an email without its end."""
    with _mail_client(sort, address) as client:
        if not _begin_mail(client, recipient):
            return
        client.send(_HALF)
        yield 1
        while True:
            client.send(b"x")
            time.sleep(_DRIP)
            yield 0


def _send_large(sort: type[smtplib.SMTP], address: _Address, recipient: str) -> Iterator[int]:
    """Send large emails; the first ones are accepted, until the sender's budget is used up."""
    with _mail_client(sort, address) as client:
        while _begin_mail(client, recipient):
            client.send(_LARGE)
            client.getreply()
            yield 1


def _connection(address: _Address) -> socket.socket:
    return socket.create_connection(address, _PATIENCE, (ADDRESS, 0))


def _head(path: str, token: str = "") -> bytes:
    """A request, without the empty line at its end."""
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: {NETWORK}\r\n{bearer}".encode()


def _pipeline(address: _Address) -> Iterator[int]:
    """Send as many requests in a row as are allowed, read no answer, and start again."""
    with socket.socket() as client:
        client.settimeout(_PATIENCE)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        client.bind((ADDRESS, 0))
        client.connect(address)
        client.sendall(_PIPELINED * (_head("/") + b"\r\n"))
        yield _PIPELINED


def _send_slowly(address: _Address) -> Iterator[int]:
    """Send a request one letter at a time."""
    with _connection(address) as client:
        client.sendall(_head("/") + b"X: ")
        yield 1
        while True:
            client.sendall(b"x")
            time.sleep(_DRIP)
            yield 0


def _call(address: _Address, token: str) -> Iterator[int]:
    client = http.client.HTTPConnection(*address, timeout=_PATIENCE, source_address=(ADDRESS, 0))
    try:
        while True:
            client.request(
                "GET", CALL, headers={"Authorization": f"Bearer {token}", "X-Forwarded-For": NETWORK}
            )
            client.getresponse().read()
            yield 1
    finally:
        client.close()


def _listen(address: _Address, token: str) -> Iterator[int]:
    """Open a stream and keep it."""
    with _connection(address) as client:
        client.sendall(_head(STREAM, token) + b"Connection: close\r\n\r\n")
        yield 1
        data = b"x"
        while data:
            with suppress(TimeoutError):
                data = client.recv(65_536)
            yield 0


def run_dripping(ready: Connection) -> None:
    """Serve notifications with answers that never end; when done, send how many there were."""
    os.nice(19)
    server = _Dripping((ADDRESS, 0), _Drip)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ready.send(server.server_address)
    ready.recv()
    server.shutdown()
    ready.send(server.count)


class _Dripping(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100
    count = 0


class _Drip(http.server.BaseHTTPRequestHandler):
    server: _Dripping

    def do_POST(self) -> None:
        self.server.count += 1
        with suppress(OSError):
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            while True:
                self.wfile.write(b"x")
                time.sleep(_DRIP)

    def log_message(self, format: str, *given: object) -> None:
        """Log nothing."""

"""The way from Uvicorn to the pages: complete requests, answered in a few threads.

Networks take turns, and each can use only a few of the threads. A thread gets a request when all of it has
arrived, and its response is complete before it is sent, so no thread waits for a client. Event streams of the
API are the exception: each has its own thread, so that no page waits for it. The streams of open pages need no
thread: see `AsyncBody` in `shared/streams.py`.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import Any, cast
from urllib.parse import unquote_to_bytes

from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import run_wsgi_app

from server.limits import LARGEST_RECORD_ON_WEB, MOST_STREAMS, MOST_STREAMS_OF_NETWORK
from server.web import mail_webhooks
from server.web.api import events
from server.web.connections import AdmissionControl, Connection
from server.web.shared.streams import ASYNC_BODY, AsyncBody

THREADS, THREADS_EACH = 8, 2
"""Threads for requests, and the most that one network can use."""
_PATIENT_THREADS, _PATIENT_THREADS_EACH = MOST_STREAMS + 4, MOST_STREAMS_OF_NETWORK + 1
"""Threads for streams of the API, with a few more to refuse further ones."""
_LARGEST_FORM = 2 * LARGEST_RECORD_ON_WEB
"""Bytes; for a form that is only a little too large, the page itself shows the error."""
_MAILS = f"{mail_webhooks.pages.url_prefix}/"
_IN_MEMORY = 65_536  # bytes of a request; the rest is buffered in a file
_PIECE = 65_536  # bytes of a response that are sent together
_CLOSE = (b"connection", b"close")
_WITHOUT_BODY = (204, 304)
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


class FairQueue:
    """A queue for `most` places, of which each network can use at most `each`; network "" has no such limit."""

    def __init__(self, most: int, each: int) -> None:
        self._free, self._each = most, each
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """The waiting requests by network, in the order of their turns."""
        self._busy: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, network: str) -> AsyncIterator[None]:
        """Wait for the turn of a request of this network; its turn ends with the block."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, deque()).append(turn)
        self._start()
        try:
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled():
                self._free += 1
                self._busy -= Counter([network])
            self._start()

    def _start(self) -> None:
        """Give the free places to the requests whose turn it is."""
        while self._free and (network := self._next()) is not None:
            waiting = self._waiting.pop(network)
            turn = waiting.popleft()
            if waiting:
                self._waiting[network] = waiting  # now the last one
            if not turn.cancelled():
                turn.set_result(None)
                self._free -= 1
                self._busy[network] += 1

    def _next(self) -> str | None:
        """Return the network whose turn it is; None if no request may start."""
        return next(
            (each for each in self._waiting if not each or self._busy[each] < self._each),
            None,
        )


class _NotAcceptedError(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class _GoneError(Exception):
    """The client has closed the connection."""


@dataclass(frozen=True)
class _Response:
    """A response. `more` follows after the body."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    more: AsyncBody | None = None


class WsgiBridge:
    """An ASGI application that runs the pages in threads."""

    def __init__(self, app: Flask, doors: AdmissionControl) -> None:
        self._app = app
        self._doors = doors
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="pages")
        self._patient = ThreadPoolExecutor(_PATIENT_THREADS, thread_name_prefix="streams")
        self._turns = FairQueue(THREADS, THREADS_EACH)
        self._patient_turns = FairQueue(_PATIENT_THREADS, _PATIENT_THREADS_EACH)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: Connection = scope["state"]["connection"]
        try:
            with SpooledTemporaryFile(_IN_MEMORY) as body:
                environ = _environ(scope)
                await _read(environ, receive, connection, body)
                with connection.answering():
                    await self._answer(environ, connection, receive, send)
        except _NotAcceptedError as refusal:
            text = f"{refusal}\n".encode()
            headers = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(text)), _CLOSE]
            await _send(send, _Response(refusal.status, headers, text))
        except _GoneError:
            pass

    def stop(self) -> None:
        """Let the threads end after their current requests."""
        for threads in (self._threads, self._patient):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _answer(
        self, environ: dict[str, Any], connection: Connection, receive: Receive, send: Send
    ) -> None:
        loop = asyncio.get_running_loop()
        network = self._doors.network(environ["REMOTE_ADDR"], environ.get("HTTP_X_FORWARDED_FOR", ""))
        if environ["PATH_INFO"] == events.PATH:
            async with self._patient_turns.turn(network):
                await loop.run_in_executor(self._patient, self._pump, environ, loop, connection, send)
            return
        async with self._turns.turn(network):
            response = await loop.run_in_executor(self._threads, self._run, environ)
        # New connections are limited, so this slows down clients with too many requests or invalid tokens.
        if response.status in (401, 429) and not connection.guest.own:
            response.headers.append(_CLOSE)
        try:
            await _send(send, response)
            if response.more is not None:
                await _follow(response.more, receive, send)
        finally:
            if response.more is not None:
                response.more.close()

    def _run(self, environ: dict[str, Any]) -> _Response:
        pieces, status, headers = run_wsgi_app(self._app, environ, buffered=True)
        body, more = b"".join(pieces), next(iter(environ[ASYNC_BODY]), None)
        has_length = "Content-Length" in headers or _code(status) in _WITHOUT_BODY
        if more is None and not has_length and environ["REQUEST_METHOD"] != "HEAD":
            headers["Content-Length"] = str(len(body))
        return _Response(_code(status), _encoded(headers), body, more)

    def _pump(
        self, environ: dict[str, Any], loop: asyncio.AbstractEventLoop, connection: Connection, send: Send
    ) -> None:
        """Send the response of the application piece by piece."""

        async def pass_on(message: dict[str, Any]) -> None:
            await send(message)
            if connection.transport.is_closing():
                raise _GoneError

        def put(kind: str, **content: object) -> None:
            message = {"type": f"http.response.{kind}", **content}
            asyncio.run_coroutine_threadsafe(pass_on(message), loop).result()

        pieces, status, headers = run_wsgi_app(self._app, environ)
        try:
            put("start", status=_code(status), headers=_encoded(headers))
            for piece in pieces:
                put("body", body=piece, more_body=True)
            put("body", body=b"")
        except (_GoneError, CancelledError):
            pass
        finally:
            cast(Any, pieces).close()


def _environ(scope: Scope) -> dict[str, Any]:
    """Return the WSGI environment of a request, without its body."""
    server, port = scope["server"]
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        ASYNC_BODY: [],
    }
    for name, value in scope["headers"]:
        # In the environment, X_Forwarded_For would look like X-Forwarded-For, which only a proxy may write.
        if b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]}, {text}" if key in environ else text
    return environ


async def _read(
    environ: dict[str, Any], receive: Receive, connection: Connection, body: SpooledTemporaryFile[bytes]
) -> None:
    """Read the body of a request into the environment."""
    is_mail = environ["PATH_INFO"].startswith(_MAILS)
    limit = mail_webhooks.LARGEST_REQUEST + 1 if is_mail else _LARGEST_FORM
    size, more = int(environ.get("CONTENT_LENGTH") or 0), True
    while more:
        if size >= limit:
            raise _NotAcceptedError(413, "The request is too large.")
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _GoneError
        piece, more = message["body"], message["more_body"]
        if more and not connection.guest.brings(len(piece)):
            raise _NotAcceptedError(503, "Too many large requests at the same time; please try again later.")
        body.write(piece)
        size = max(size, body.tell())
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    environ["CONTENT_LENGTH"] = str(body.tell())
    environ["wsgi.input"] = body
    body.seek(0)


async def _send(send: Send, response: _Response) -> None:
    await send({"type": "http.response.start", "status": response.status, "headers": response.headers})
    body = response.body
    for start in range(0, max(len(body), 1), _PIECE):
        more = response.more is not None or start + _PIECE < len(body)
        await send({"type": "http.response.body", "body": body[start : start + _PIECE], "more_body": more})


async def _follow(pieces: AsyncBody, receive: Receive, send: Send) -> None:
    """Send the pieces until they end, or the client closes the connection."""

    async def pass_on() -> None:
        async for piece in pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def listen() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    tasks = [asyncio.create_task(each()) for each in (pass_on, listen)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def _code(status: str) -> int:
    return int(status.split(maxsplit=1)[0])


def _encoded(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

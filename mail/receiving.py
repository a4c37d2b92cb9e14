"""The listener: takes mail over SMTP or LMTP and acknowledges it once it is stored.

The event loop with all connections has a thread of its own; a small pool of threads asks whether a recipient is
ours; one thread stores. While that one waits for the disk, more mails gather, and it takes them all at once.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from mail.batching import Batches

log = logging.getLogger(__name__)

Protocol = Literal["smtp", "lmtp"]
Source = Literal[Protocol, "imap", "maildir", "pipe", "mailgun", "postmark", "sendgrid", "amazon"]
"""The ways in which a mail comes in."""

MAX_SIZE = 5_000_000  # bytes of a mail: moves are short, the pictures in signatures are not
MAX_RECIPIENTS = 100
MAX_CONNECTIONS = 1000
IDLE = 300.0  # seconds for a command, and for the text of a mail
_GOODBYE = 1.0  # seconds that open connections have for reading our farewell
_LONGEST_LINE = 64_000  # bytes; some senders break no lines, and a mail refused for that is a move lost
_LONGEST_COMMAND = 2048  # bytes; return paths that name the recipient grow long

_STORED = "250 2.0.0 Stored"
_NOT_STORED = "451 4.3.0 This mail could not be stored; please try again later"
_OUR_FAULT = "451 4.3.0 Something went wrong here; please try again later"
_MALFORMED = "553 5.1.3 This address is not well formed"
_TOO_MANY = "452 4.5.3 Too many recipients; please send the rest in another mail"
_FULL = b"421 4.3.2 Too many connections; please try again later\r\n"
_CLOSING = b"421 4.3.2 Closing down; please try again later\r\n"


@dataclass(frozen=True)
class Received:
    """One mail as it came in: `content` is byte for byte what was sent, `mail_from` is "" for the null path.

    `peer` is the IP address that handed it over by SMTP or LMTP, else "". `results` is what the provider who
    posted it found of its sender, where he has signed that, written as in Authentication-Results.
    """

    source: Source
    peer: str
    mail_from: str
    recipients: tuple[str, ...]
    content: bytes
    results: str = ""


class Listener:
    """A server for SMTP or LMTP on one port, in threads of its own.

    `accepts(recipient)` says None when the recipient is ours, else the reply to give ("550 5.1.1 …"); it is
    called in worker threads. `store(mails)` returns when all of them are stored durably; it is called in one
    thread only, with every mail that has come in since the last call. A mail is answered 250 after `store`
    returned and 451 when it raised; a batch that failed is tried again mail by mail. Sizes are in bytes, `idle`
    is the seconds that one command, or the text of one mail, may take.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        protocol: Protocol,
        hostname: str,
        accepts: Callable[[str], str | None],
        store: Callable[[Sequence[Received]], None],
        max_size: int = MAX_SIZE,
        idle: float = IDLE,
    ) -> None:
        # At lower levels aiosmtpd logs every line of every mail, which is nobody's to read.
        logging.getLogger("mail.log").setLevel(logging.WARNING)
        self._host, self._port = host, port
        self._protocol: Protocol = protocol
        self._settings = {"hostname": hostname, "data_size_limit": max_size, "timeout": idle}
        self._accepts = accepts
        self._store = store
        self._running: _Running | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Host and port actually bound. Raises RuntimeError while the listener is not running."""
        if self._running is None:
            raise RuntimeError("the listener is not running")
        return self._running.address

    def start(self) -> None:
        """Bind the port and serve. Raises OSError when the port is not to be had."""
        if self._running is not None:
            raise RuntimeError("the listener is running already")
        bound: Future[_Running] = Future()
        name = f"mail-{self._protocol}"
        threading.Thread(target=lambda: asyncio.run(self._serve(bound)), name=name, daemon=True).start()
        self._running = bound.result()

    def stop(self) -> None:
        """Take no more mail, answer those that are being stored, hang up. Nothing happens when not running."""
        if self._running is not None:
            self._running.stop()
            self._running = None

    async def _serve(self, bound: Future[_Running]) -> None:
        batches = Batches(self._store)
        handler = _Handler(self._protocol, self._accepts, batches)
        connections = _Connections(self._protocol, handler, self._settings)
        try:
            server = await asyncio.get_running_loop().create_server(connections.new, self._host, self._port)
        except Exception as error:
            batches.close()
            bound.set_exception(error)
            return
        running = _Running(server.sockets[0].getsockname())
        bound.set_result(running)
        await running.stopping.wait()
        server.close()
        await asyncio.to_thread(batches.close)
        await connections.close()


class _Running:
    """What the other threads hold of a serving event loop; made in its thread."""

    def __init__(self, name: tuple[Any, ...]) -> None:
        self.address: tuple[str, int] = (name[0], name[1])
        self.stopping = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.current_thread()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self.stopping.set)
        self._thread.join()


class _Handler:
    """What we say to the commands that matter; aiosmtpd calls these by their names."""

    def __init__(
        self, source: Protocol, accepts: Callable[[str], str | None], batches: Batches[Received]
    ) -> None:
        self._source: Protocol = source
        self._accepts = accepts
        self._batches = batches

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, replies: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [*replies[:-1], "250-PIPELINING", replies[-1]]

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if not _is_text(address):
            return _MALFORMED
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return _TOO_MANY
        if not _is_text(address):
            return _MALFORMED
        refusal = await asyncio.to_thread(self._accepts, address)
        if refusal is not None:
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        path = envelope.mail_from or ""
        content = envelope.content
        received = Received(
            source=self._source,
            peer=str(session.peer[0]) if session.peer else "",
            mail_from="" if path == "<>" else path,
            recipients=tuple(envelope.rcpt_tos),
            content=content if isinstance(content, bytes) else b"",
        )
        try:
            await asyncio.wrap_future(self._batches.put(received))
        except Exception:
            return _NOT_STORED
        return _STORED

    async def handle_exception(self, error: Exception) -> str:
        """Without this, aiosmtpd says 500, which would bounce a player's move for good."""
        log.error("a mail session failed", exc_info=error)
        return _OUR_FAULT


class _Connection(SMTP):
    """One connection; what aiosmtpd leaves unbounded or shares between connections is mended here."""

    line_length_limit = _LONGEST_LINE
    command_size_limit = _LONGEST_COMMAND

    def __init__(self, handler: _Handler, open_ones: set[_Connection], settings: dict[str, Any]) -> None:
        # A class attribute in aiosmtpd, changed by each connection for all of them.
        self.command_size_limits = defaultdict(lambda: _LONGEST_COMMAND)
        super().__init__(handler, enable_SMTPUTF8=True, ident="Nabu", **settings)
        self._open_ones = open_ones
        self._unanswered = 0
        self._most_unanswered = 2 * settings["data_size_limit"] + _LONGEST_LINE

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._open_ones.add(self)
        if self._handler_coroutine is not None:
            self._handler_coroutine.add_done_callback(_note_end)

    def connection_lost(self, error: Exception | None) -> None:
        self._open_ones.discard(self)
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """A text without line ends would be gathered for ever: who sends far too much is cut off."""
        self._unanswered += len(data)
        if self._unanswered <= self._most_unanswered:
            super().data_received(data)
        elif isinstance(self.transport, asyncio.Transport):
            self.transport.abort()

    async def push(self, status: Any) -> None:
        self._unanswered = 0
        await super().push(status)

    async def hang_up(self) -> None:
        """Say goodbye and close; at once when the other side does not read."""
        transport, task = self.transport, self._handler_coroutine
        if not isinstance(transport, asyncio.Transport) or task is None:
            return
        transport.write(_CLOSING)
        transport.close()
        await asyncio.wait([task], timeout=_GOODBYE)
        transport.abort()


class _LmtpConnection(_Connection, LMTP):
    """LMTP answers the text of a mail once for each recipient, whatever the answer is (RFC 2033)."""

    _answers = 1

    async def push(self, status: Any) -> None:
        answers, self._answers = self._answers, 1
        if self.envelope is not None and str(status).startswith("354"):
            self._answers = len(self.envelope.rcpt_tos)
        await super().push("\r\n".join([str(status)] * answers))


class _Refusal(asyncio.Protocol):
    """A connection too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.Transport):
            transport.write(_FULL)
            transport.close()


class _Connections:
    """All connections of a listener."""

    def __init__(self, protocol: Protocol, handler: _Handler, settings: dict[str, Any]) -> None:
        self._class = _LmtpConnection if protocol == "lmtp" else _Connection
        self._handler = handler
        self._settings = settings
        self._open: set[_Connection] = set()

    def new(self) -> asyncio.Protocol:
        if len(self._open) >= MAX_CONNECTIONS:
            return _Refusal()
        return self._class(self._handler, self._open, self._settings)

    async def close(self) -> None:
        await asyncio.gather(*(connection.hang_up() for connection in set(self._open)))
        await asyncio.sleep(0)  # the loop tells the transports that they are closed


def _is_text(address: str) -> bool:
    """Whether the bytes of the address were UTF-8; what was not cannot be stored as text."""
    return not any("\ud800" <= sign <= "\udfff" for sign in address)


def _note_end(session: asyncio.Task[None]) -> None:
    """Look at how a session ended, or asyncio complains; a connection that broke is nothing to log loudly."""
    if not session.cancelled() and (error := session.exception()) is not None:
        log.info("a mail session ended: %r", error)

"""One session of SMTP or LMTP: the reply to each command, and the limits of one peer.

aiosmtpd reads the commands. This module replaces the parts that have no limit, are shared between connections,
or run once for each line of an email.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, syntax

from mail.incoming.peers import ConnectionPool, Lease, Quota, network_of
from mail.incoming.rates import RateLimit
from mail.incoming.replies import Handler, Replies

log = logging.getLogger(__name__)

_GOODBYE = 1.0  # seconds for a peer to read the last reply
_LONGEST_COMMAND = 2048  # bytes; return paths that name the recipient grow long
_PIECE = 16_384  # bytes that are read ahead, and of the text of an email at a time
HEAVY = 100_000
"""Bytes above which an email is read at a limited rate, and stored alone after smaller ones."""
_END = b"\r\n.\r\n"
# The text between angle brackets, without a route; nothing else is an address in SMTP (RFC 5321, 4.1.2).
_PATH = re.compile(r'\s*+<\s*+(?:@[^:<>"\s]*+:)?((?:"(?:[^"\\]|\\.)*+"|[^<>"\s])*+)\s*+>(.*)', re.DOTALL)
_BARE = re.compile(r'\s*+([^<>"\s]++)(.*)', re.DOTALL)

_TOO_LARGE = "552 5.3.4 This email is larger than {} bytes"
_CROWDED = "452 4.3.1 Too many emails are arriving now; please try again later"
_ENOUGH = "421 4.7.0 This session is too long; please send the rest in a new one"
_FULL = b"421 4.3.2 Too many connections; please try again later\r\n"
_IDLE = b"421 4.4.2 Timeout; please try again later\r\n"
_CLOSING = b"421 4.3.2 Closing down; please try again later\r\n"


# Most systems let a process have 1,024 files.
_CONNECTIONS = Quota(most=800, ours=100, each=20)
_UNFINISHED = Quota(most=100_000_000, ours=20_000_000, each=20_000_000)


@dataclass(frozen=True)
class Limits:
    """The limits of a listener; the administrator's mail servers relay for many senders and have higher ones.

    `connections` of one listener, and `unfinished` bytes of emails that are arriving or being stored. A session
    ends after `replies`, after `refusals` among them, or after `session` seconds. All sessions together read
    `heavy` bytes of heavy emails at first, and then `heavy_a_second`. One network may open `opened` connections
    at first, and then `opened_a_second`.
    """

    connections: Quota = _CONNECTIONS
    unfinished: Quota = _UNFINISHED
    replies: int = 2000
    refusals: int = 100
    session: float = 1800.0
    heavy: int = 20_000_000
    heavy_a_second: float = 4_000_000
    opened: int = 100
    opened_a_second: float = 10


@dataclass
class Sessions:
    """All sessions of a listener; `settings` are for aiosmtpd, `own(peer)` recognizes trusted servers."""

    lmtp: bool
    handler: Handler
    own: Callable[[str], bool]
    limits: Limits
    settings: dict[str, Any]
    open: set[_Connection] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.connections = ConnectionPool(self.limits.connections)
        self.unfinished = ConnectionPool(self.limits.unfinished)
        self.heavy = RateLimit(self.limits.heavy, self.limits.heavy_a_second)
        self.opened = RateLimit(self.limits.opened, self.limits.opened_a_second)

    def entrance(self) -> asyncio.Protocol:
        """Return the protocol for a connection whose peer is not known yet."""
        return _Entrance(self)

    async def close(self) -> None:
        """Send the last reply to all, and wait until they are closed."""
        await asyncio.gather(*(connection.hang_up() for connection in set(self.open)))
        await asyncio.sleep(0)  # the loop notifies the transports that they are closed


class _Entrance(asyncio.Protocol):
    """Admits a peer while the limits allow another connection from its network."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport):
            return
        sessions, name = self._sessions, transport.get_extra_info("peername")
        peer = str(name[0]) if name else ""
        # Only the administrator's mail servers speak LMTP.
        guest = Lease(
            sessions.connections, sessions.unfinished, network_of(peer), sessions.lmtp or sessions.own(peer)
        )
        late = not guest.own and sessions.opened.wait(asyncio.get_running_loop().time(), guest.place)
        if late or not guest.enters():
            transport.write(_FULL)
            transport.close()
            return
        connection = (_LmtpConnection if sessions.lmtp else _Connection)(sessions, guest)
        transport.set_protocol(connection)
        connection.connection_made(transport)


class _Reader:
    """A reader for aiosmtpd that closes the connection if the input ends too early."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def readuntil(self, end: bytes = b"\n") -> bytes:
        """Return all input up to this end. Raises LimitOverrunError, or ConnectionResetError without an end."""
        try:
            return await self._reader.readuntil(end)
        except asyncio.IncompleteReadError:
            raise ConnectionResetError("the peer has stopped sending") from None

    async def read(self, most: int) -> bytes:
        return await self._reader.read(most)

    def put_back(self, data: bytes) -> None:
        """Put data back, to be read next."""
        self._reader._buffer[:0] = data  # type: ignore[attr-defined]


class _Connection(SMTP):
    """One connection of a peer."""

    line_length_limit = _PIECE
    command_size_limit = _LONGEST_COMMAND

    def __init__(self, sessions: Sessions, guest: Lease) -> None:
        # A class attribute in aiosmtpd, changed by each connection for all of them.
        self.command_size_limits = defaultdict(lambda: _LONGEST_COMMAND)
        self._replies = Replies(sessions.handler)
        super().__init__(self._replies, enable_SMTPUTF8=True, ident="Nabu", **sessions.settings)
        self._sessions = sessions
        self._guest = guest
        self._began = self.loop.time()
        self._said = self._refused = self._unanswered = 0
        self._largest: int = sessions.settings["data_size_limit"]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._sessions.open.add(self)
        if self._handler_coroutine is not None:
            self._handler_coroutine.add_done_callback(_note_end)

    def connection_lost(self, error: Exception | None) -> None:
        self._sessions.open.discard(self)
        self._guest.leaves()
        super().connection_lost(error)

    def _cb_client_connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super()._cb_client_connected(_Reader(reader), writer)  # type: ignore[arg-type]

    def eof_received(self) -> bool | None:
        """Answer the last command even if the peer sends nothing more; aiosmtpd would drop the connection.

        Exim closes its side with the QUIT that it sends right after an email.
        """
        return asyncio.StreamReaderProtocol.eof_received(self)

    def data_received(self, data: bytes) -> None:
        """Read data; close the connection if the peer sends too much without waiting for an answer."""
        self._unanswered += len(data)
        if self._unanswered <= 2 * self._largest + _PIECE:
            super().data_received(data)
        elif isinstance(self.transport, asyncio.Transport):
            self.transport.abort()

    async def push(self, status: Any) -> None:
        """Send a reply. Raises ConnectionResetError if it was the last one of the session."""
        self._unanswered = 0
        await super().push(status)
        self._said += 1
        self._refused += str(status).startswith("5")
        if self._has_had_enough():
            await super().push(_ENOUGH)
            self._leave()
            raise ConnectionResetError("a session went on for too long")

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:
        if await self.check_helo_needed() or self.envelope is None or self.session is None:
            return
        if not self.envelope.rcpt_tos or arg:
            await self.push("501 Syntax: DATA" if arg else "503 Error: need RCPT command")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        text = bytearray()
        try:
            status = await self._read_text(text)
            if not status:
                self.envelope.content = _undotted(text)
                text.clear()
                status = await self._replies.handle_DATA(self, self.session, self.envelope)
        finally:
            self._guest.has_brought()
        self.envelope = self._create_envelope()
        await self.push(status)

    async def _read_text(self, text: bytearray) -> str:
        """Append all text up to the dot, with the preceding line end; return the problem, or "".

        If there is no room for a text, the rest is still read, because peers look for the reply at its end.
        """
        size, problem = 0, ""
        # The dot may stand on the first line.
        self._reader.put_back(_END[:2])  # type: ignore[attr-defined]
        while True:
            piece, last = await self._piece()
            size += len(piece)
            if not problem:
                problem = self._no_room(size - len(_END), len(piece))
            if problem:
                text.clear()
                self._guest.has_brought()
            else:
                text += piece
            if last:
                return problem
            if size > HEAVY:
                await self._wait_for_rate(len(piece))

    async def _wait_for_rate(self, size: int) -> None:
        """Wait until the rate limit of heavy emails allows so many bytes more: smaller emails come first."""
        while seconds := self._sessions.heavy.wait(self.loop.time(), amount=size):
            await asyncio.sleep(seconds)

    async def _piece(self) -> tuple[bytes, bool]:
        """Return the next piece of a text, and whether it is the last one, which ends with the dot."""
        try:
            return await self._reader.readuntil(_END), True
        except asyncio.LimitOverrunError as more:
            return await self._reader.read(more.consumed), False

    def _no_room(self, size: int, more: int) -> str:
        if size > self._largest:
            return _TOO_LARGE.format(self._largest)
        return "" if self._guest.brings(more) else _CROWDED

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Return an address, "<>" for the null path, and the text after it; None if there is no address.

        aiosmtpd reads comments as well, and 2,000 letters of them take it 0.2 seconds.
        """
        found = _PATH.fullmatch(arg) or _BARE.fullmatch(arg)
        return (found[1] or "<>", found[2]) if found else (None, None)

    def _has_had_enough(self) -> bool:
        limits = self._sessions.limits
        if self.loop.time() - self._began > limits.session:
            return True
        return not self._guest.own and (self._said > limits.replies or self._refused > limits.refusals)

    def _timeout_cb(self) -> None:
        if isinstance(self.transport, asyncio.Transport):
            self.transport.write(_IDLE)
        self._leave()

    def _leave(self) -> None:
        """Close, and abort after a second: a peer that does not read the reply would otherwise stay forever."""
        transport = self.transport
        if isinstance(transport, asyncio.Transport):
            transport.close()
            self.loop.call_later(_GOODBYE, transport.abort)

    async def hang_up(self) -> None:
        """Send the last reply and close; abort after a second if the peer does not read."""
        transport, task = self.transport, self._handler_coroutine
        if not isinstance(transport, asyncio.Transport) or task is None:
            return
        transport.write(_CLOSING)
        transport.close()
        await asyncio.wait([task], timeout=_GOODBYE)
        transport.abort()


class _LmtpConnection(_Connection, LMTP):
    """LMTP answers the text of an email once for each recipient, with the same reply here (RFC 2033)."""

    _answers = 1

    async def push(self, status: Any) -> None:
        answers, self._answers = self._answers, 1
        if self.envelope is not None and str(status).startswith("354"):
            self._answers = len(self.envelope.rcpt_tos)
        await super().push("\r\n".join([str(status)] * answers))


def _undotted(text: bytearray) -> bytes:
    """Decode a text as transmitted, from the line end before it to the dot at its end."""
    return bytes(text[: -len(b".\r\n")].replace(b"\r\n.", b"\r\n")[2:])


def _note_end(session: asyncio.Task[None]) -> None:
    """Retrieve the result of a session, or asyncio complains; a broken connection is not worth a warning."""
    if not session.cancelled() and (error := session.exception()) is not None:
        log.info("a mail session ended: %r", error)

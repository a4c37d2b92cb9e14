"""The listener: it receives emails over SMTP or LMTP, and acknowledges each after it is stored.

The event loop with all connections has its own thread; a small pool of threads checks recipients; one thread
stores. While that one waits for the disk, more emails gather, and it stores them together.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal

from aiosmtpd.smtp import Envelope

from mail.incoming.batching import Batches, NoRoom
from mail.incoming.sessions import HEAVY, Limits, Sessions

Protocol = Literal["smtp", "lmtp"]

MAX_SIZE = 5_000_000  # bytes of an email: moves are short, but pictures in signatures are not
IDLE = 300.0  # seconds for a command, and for the text of an email
LIMITS = Limits()

_STORED = "250 2.0.0 Stored"
_NO_ROOM = "452 4.3.1 There is no room for this email now; please try again later"
_NOT_STORED = "451 4.3.0 This email could not be stored; please try again later"


@dataclass(frozen=True)
class Received:
    """An email as it arrived: `content` is byte for byte as sent, `mail_from` is "" for the null path.

    `source` is the way in: a protocol, "imap", "maildir", "pipe", or the name of the provider that posted it.
    `peer` is the IP address that delivered it by SMTP or LMTP, else "". `results` are the checks of the sender
    by the provider that posted it, if they are signed, written as in Authentication-Results.
    """

    source: str
    peer: str
    mail_from: str
    recipients: tuple[str, ...]
    content: bytes
    results: str = ""


class Listener:
    """A server for SMTP or LMTP on one port, in its own threads.

    `accepts(recipient)` returns None for a recipient of this server, else the reply to give ("550 5.1.1 …"); it
    is called in worker threads. `store(mails)` returns after all of them are stored durably; it is called in
    one thread only, with every email that has arrived since the last call. The reply to an email is 250 after
    `store` returned, 452 if it raised NoRoom and 451 for other errors; a failed batch is retried one by one.
    Sizes are in bytes; `idle` is the time in seconds that one command, or the text of one email, may take.
    `own(peer)` returns whether an IP address is that of the administrator's mail server, to which not all
    `limits` apply; every LMTP client is one.
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
        own: Callable[[str], bool] = lambda peer: False,
        max_size: int = MAX_SIZE,
        idle: float = IDLE,
        limits: Limits = LIMITS,
    ) -> None:
        # At lower levels aiosmtpd logs the text of peers: every line of every email, or invented commands.
        logging.getLogger("mail.log").setLevel(logging.ERROR)
        self._host, self._port = host, port
        self._protocol: Protocol = protocol
        self._settings = {"hostname": hostname, "data_size_limit": max_size, "timeout": idle}
        self._accepts = accepts
        self._store = store
        self._own = own
        self._limits = limits
        self._running: _Running | None = None

    @property
    def address(self) -> tuple[str, int]:
        """Return the bound host and port. Raises RuntimeError while the listener is not running."""
        if self._running is None:
            raise RuntimeError("the listener is not running")
        return self._running.address

    @property
    def unfinished(self) -> int:
        """Return the bytes of emails that are arriving or being stored."""
        return 0 if self._running is None else self._running.sessions.unfinished.total

    def start(self) -> None:
        """Bind the port and serve. Raises OSError if the port is not available."""
        if self._running is not None:
            raise RuntimeError("the listener is running already")
        bound: Future[_Running] = Future()
        name = f"mail-{self._protocol}"
        threading.Thread(target=lambda: asyncio.run(self._serve(bound)), name=name, daemon=True).start()
        self._running = bound.result()

    def stop(self) -> None:
        """Accept no more emails, answer those that are being stored, disconnect. A no-op when not running."""
        if self._running is not None:
            self._running.stop()
            self._running = None

    async def _serve(self, bound: Future[_Running]) -> None:
        batches = Batches(self._store, lambda mail: len(mail.content) > HEAVY)
        reception = _Reception(self._protocol, self._accepts, batches)
        lmtp = self._protocol == "lmtp"
        sessions = Sessions(lmtp, reception, self._own, self._limits, self._settings)
        try:
            server = await asyncio.get_running_loop().create_server(sessions.entrance, self._host, self._port)
        except Exception as error:
            batches.close()
            bound.set_exception(error)
            return
        running = _Running(server.sockets[0].getsockname(), sessions)
        bound.set_result(running)
        await running.stopping.wait()
        server.close()
        await asyncio.to_thread(batches.close)
        await sessions.close()


class _Running:
    """A serving event loop, as other threads see it; created in its thread."""

    def __init__(self, name: tuple[Any, ...], sessions: Sessions) -> None:
        self.sessions = sessions
        self.address: tuple[str, int] = (name[0], name[1])
        self.stopping = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.current_thread()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self.stopping.set)
        self._thread.join()


class _Reception:
    """Checks recipients in other threads, and passes emails to the batches."""

    def __init__(
        self, source: Protocol, accepts: Callable[[str], str | None], batches: Batches[Received]
    ) -> None:
        self._source: Protocol = source
        self._accepts = accepts
        self._batches = batches

    async def recipient(self, address: str) -> str:
        return await asyncio.to_thread(self._accepts, address) or "250 2.1.5 OK"

    async def mail(self, peer: str, envelope: Envelope) -> str:
        """Return the reply to an email, after storing it or failing to."""
        path = envelope.mail_from or ""
        content = envelope.content
        received = Received(
            source=self._source,
            peer=peer,
            mail_from="" if path == "<>" else path,
            recipients=tuple(envelope.rcpt_tos),
            content=content if isinstance(content, bytes) else b"",
        )
        try:
            await asyncio.wrap_future(self._batches.put(received))
        except NoRoom:
            return _NO_ROOM
        except Exception:
            return _NOT_STORED
        return _STORED

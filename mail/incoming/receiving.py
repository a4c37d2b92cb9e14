"""The listener: takes mail over SMTP or LMTP and acknowledges it once it is stored.

The event loop with all connections has a thread of its own; a small pool of threads asks whether a recipient is
ours; one thread stores. While that one waits for the disk, more mails gather, and it takes them all at once.
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

MAX_SIZE = 5_000_000  # bytes of a mail: moves are short, the pictures in signatures are not
IDLE = 300.0  # seconds for a command, and for the text of a mail
LIMITS = Limits()

_STORED = "250 2.0.0 Stored"
_NO_ROOM = "452 4.3.1 There is no room for this mail now; please try again later"
_NOT_STORED = "451 4.3.0 This mail could not be stored; please try again later"


@dataclass(frozen=True)
class Received:
    """One mail as it came in: `content` is byte for byte what was sent, `mail_from` is "" for the null path.

    `source` is the way in: a protocol, "imap", "maildir", "pipe", or the name of the provider that posted it.
    `peer` is the IP address that handed it over by SMTP or LMTP, else "". `results` is what the provider who
    posted it found about its sender, if they signed that, written as in Authentication-Results.
    """

    source: str
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
    returned, 452 when it raised NoRoom and 451 when it raised anything else; a batch that failed is tried again
    mail by mail. Sizes are in bytes, `idle`
    is the seconds that one command, or the text of one mail, may take. `own(peer)` says whether an IP address
    is that of a mail server of ours, to which not all `limits` apply; anyone who speaks LMTP is one.
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
        # At lower levels aiosmtpd logs what peers write: every line of every mail, or commands of their own.
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
        """Host and port actually bound. Raises RuntimeError while the listener is not running."""
        if self._running is None:
            raise RuntimeError("the listener is not running")
        return self._running.address

    @property
    def unfinished(self) -> int:
        """Bytes of mails that are coming in or being stored."""
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
        """Take no more mail, answer those that are being stored, hang up. Nothing happens when not running."""
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
    """What the other threads hold of a serving event loop; made in its thread."""

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
    """Asks about recipients in other threads, and has mails stored."""

    def __init__(
        self, source: Protocol, accepts: Callable[[str], str | None], batches: Batches[Received]
    ) -> None:
        self._source: Protocol = source
        self._accepts = accepts
        self._batches = batches

    async def recipient(self, address: str) -> str:
        """What is said to a recipient."""
        return await asyncio.to_thread(self._accepts, address) or "250 2.1.5 OK"

    async def mail(self, peer: str, envelope: Envelope) -> str:
        """What is said to a mail: it is stored by then, or could not be."""
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

"""Several lines to the relay at once, so that we do not wait for its answers one after the other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar
from zlib import crc32

from mail.outgoing.delivering import Relay

_Outcome = TypeVar("_Outcome")


class Lines:
    """Some relays, each with a thread of its own; the mails to one recipient take the same line, in order."""

    def __init__(self, relays: list[Relay]) -> None:
        self._lines = [(relay, ThreadPoolExecutor(1, "line")) for relay in relays]

    def submit(self, recipient: str, send: Callable[[Relay], _Outcome]) -> Future[_Outcome]:
        """Have `send` called with the relay that has the recipient's mails, after what was submitted before."""
        relay, thread = self._lines[crc32(recipient.encode()) % len(self._lines)]
        return thread.submit(send, relay)

    def close(self) -> None:
        """Finish what was submitted, and hang up."""
        for relay, thread in self._lines:
            thread.shutdown()
            relay.close()

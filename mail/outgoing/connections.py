"""Several connections to the relay, so that emails do not wait for its answers one after the other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar
from zlib import crc32

from mail.outgoing.delivering import Relay

_Outcome = TypeVar("_Outcome")


class RelayConnections:
    """Several connections to the relay, each with a thread; a recipient's emails use the same, in order."""

    def __init__(self, relays: list[Relay]) -> None:
        self._connections = [(relay, ThreadPoolExecutor(1, "relay")) for relay in relays]

    def submit(self, recipient: str, send: Callable[[Relay], _Outcome]) -> Future[_Outcome]:
        """Call `send` with the recipient's connection, after earlier calls for it; return the future result."""
        relay, thread = self._connections[crc32(recipient.encode()) % len(self._connections)]
        return thread.submit(send, relay)

    def close(self) -> None:
        """Finish all calls that were submitted, and disconnect."""
        for relay, thread in self._connections:
            thread.shutdown()
            relay.close()

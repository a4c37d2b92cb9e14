"""The open event streams of this process, limited in total, by owner, by network and in time."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable, Iterable
from itertools import chain
from threading import Lock
from typing import Protocol

from flask import Response
from werkzeug.exceptions import ServiceUnavailable

from mail.incoming.peers import is_elsewhere, network_of
from server.limits import MOST_STREAMS, MOST_STREAMS_EACH, MOST_STREAMS_OF_NETWORK

ASYNC_BODY = "nabu.async_body"
"""The key in the WSGI environment of a list; a view appends the `AsyncBody` that follows its response."""
_ENOUGH = "Too many event streams are open at the moment. Request your games instead, or try again later."
_ENOUGH_OF_NETWORK = (
    "Too many event streams are open from your network. Request your games instead, or try again later."
)
_PATIENCE = 60
RETRY = 2000
"""Milliseconds after which a client reconnects."""
EVENTS = "text/event-stream"
"""The content type of a stream."""


class AsyncBody(Protocol):
    """The pieces of a response, read in the event loop of the server."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...

    def close(self) -> None:
        """Release what the response uses; called once, at the end."""


class Streams:
    """The open streams and their limits.

    Times in seconds: `lasts` until a stream ends, `look` between two reads, `beat` between two signs of life.
    """

    def __init__(
        self,
        *,
        most: int = MOST_STREAMS,
        each: int = MOST_STREAMS_EACH,
        of_network: int = MOST_STREAMS_OF_NETWORK,
        lasts: float = 300,
        look: float = 1,
        beat: float = 15,
    ) -> None:
        self.lasts, self.look, self.beat = lasts, look, beat
        self.count = 0
        """The number of open streams."""
        self._most, self._each, self._of_network = most, each, of_network
        self._networks: Counter[str] = Counter()
        self._open: dict[Hashable, list[Callable[[], None]]] = {}
        self._lock = Lock()
        self._is_stopped = False

    def enter(self, owner: Hashable, peer: str, end: Callable[[], None]) -> Callable[[], None]:
        """Register a new stream, which `end` ends; return a function to unregister it.

        If the owner has too many streams, their oldest ends, because the connection may be dead. Raises
        ServiceUnavailable if there are too many in total or in the network of `peer`, an IP address, or if the
        streams have been stopped.
        """
        network = network_of(peer) if is_elsewhere(peer) else ""
        with self._lock:
            if self._is_stopped:
                raise ServiceUnavailable(_ENOUGH, retry_after=_PATIENCE)
            own = self._open.get(owner, [])
            if len(own) < self._each:
                if self.count >= self._most:
                    raise ServiceUnavailable(_ENOUGH, retry_after=_PATIENCE)
                if network and self._networks[network] >= self._of_network:
                    raise ServiceUnavailable(_ENOUGH_OF_NETWORK, retry_after=_PATIENCE)
            for end_oldest in own[: max(0, len(own) - self._each + 1)]:
                end_oldest()
            self._open[owner] = [*own, end]
            self._networks[network] += 1
            self.count += 1
        return lambda: self._leave(owner, network, end)

    def stop(self) -> None:
        """End all streams, and admit no more."""
        with self._lock:
            self._is_stopped = True
            for end in chain.from_iterable(self._open.values()):
                end()

    def _leave(self, owner: Hashable, network: str, end: Callable[[], None]) -> None:
        with self._lock:
            self.count -= 1
            self._networks -= Counter([network])
            self._open[owner] = [other for other in self._open[owner] if other is not end]
            if not self._open[owner]:
                del self._open[owner]


def event_stream(pieces: Iterable[str]) -> Response:
    """Return a response with server-sent events."""
    response = Response(pieces, content_type=EVENTS)
    # Otherwise nginx would buffer events until it has enough of them.
    response.headers["X-Accel-Buffering"] = "no"
    return response

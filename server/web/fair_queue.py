"""A fair queue of requests: networks take turns, and each network can use only a few of the threads."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


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

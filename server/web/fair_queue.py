"""A fair queue of requests: networks take turns, and each network can use only a few of the threads."""

from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from waitress.task import ThreadedTaskDispatcher


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]  # waitress has no types
    """A pool of threads of which each network can use at most `each`.

    `network_of(task)` returns the network of a task; "" for a task without a limit.
    """

    def __init__(self, threads: int, each: int, network_of: Callable[[Any], str]) -> None:
        super().__init__()
        self._network_of = network_of
        self.queue = _Queue(each)
        self.set_thread_count(threads)

    def add_task(self, task: Any) -> None:
        """Add a task to the queue."""
        super().add_task(_Turn(task, self._network_of(task), self._end))

    def _end(self, network: str) -> None:
        with self.lock:
            self.queue.end(network)


class _Turn:
    """A task in the queue; it notes its end there."""

    def __init__(self, task: Any, network: str, end: Callable[[str], None]) -> None:
        self.network = network
        self._task, self._end = task, end

    def service(self) -> None:
        try:
            self._task.service()
        finally:
            # This thread takes the next task from the queue, so no other thread has to be woken.
            self._end(self.network)

    def cancel(self) -> None:
        self._task.cancel()


class _Queue:
    """A replacement for waitress's deque that seems empty while no task may start. Its users hold a lock."""

    def __init__(self, each: int) -> None:
        self._each = each
        self._waiting: dict[str, deque[_Turn]] = {}
        """The waiting tasks by network, in the order of their turns."""
        self._busy: Counter[str] = Counter()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def __bool__(self) -> bool:
        return self._next() is not None

    def append(self, turn: _Turn) -> None:
        self._waiting.setdefault(turn.network, deque()).append(turn)

    def popleft(self) -> _Turn:
        network = self._next()
        if network is None:
            raise IndexError("no task may start")
        waiting = self._waiting.pop(network)
        turn = waiting.popleft()
        if waiting:
            self._waiting[network] = waiting  # now the last one
        self._busy[network] += 1
        return turn

    def end(self, network: str) -> None:
        """Note that a task has ended."""
        self._busy[network] -= 1
        if not self._busy[network]:
            del self._busy[network]

    def _next(self) -> str | None:
        """Return the network whose turn it is; None if no task may start."""
        return next(
            (each for each in self._waiting if not each or self._busy[each] < self._each),
            None,
        )

"""The streams that this process holds open: so many in all and of each player, and none for long."""

from collections.abc import Callable
from threading import Event, Lock

from werkzeug.exceptions import ServiceUnavailable

from server.limits import MOST_STREAMS, MOST_STREAMS_EACH

EXTENSION = "api_streams"
_ENOUGH = "Too many programs listen here just now. Ask for your games instead, or come back later."
_PATIENCE = 60


class Streams:
    """`lasts`: seconds after which a stream ends; `look`: between two looks; `beat`: between signs of life."""

    def __init__(
        self,
        *,
        most: int = MOST_STREAMS,
        each: int = MOST_STREAMS_EACH,
        lasts: float = 300,
        look: float = 1,
        beat: float = 15,
    ) -> None:
        self.lasts, self.look, self.beat = lasts, look, beat
        self.count = 0
        """How many are open."""
        self._most, self._each = most, each
        self._open: dict[int, list[Event]] = {}
        self._lock = Lock()

    def enter(self, player: int) -> tuple[Event, Callable[[], None]]:
        """A place for one more: what is set when it has to end, and what gives the place back.

        Where a player has enough, the oldest of theirs ends: they may have lost it without our knowing. Raises
        ServiceUnavailable where there are enough in all.
        """
        ended = Event()
        with self._lock:
            own = self._open.get(player, [])
            if self.count >= self._most and len(own) < self._each:
                raise ServiceUnavailable(_ENOUGH, retry_after=_PATIENCE)
            for oldest in own[: max(0, len(own) - self._each + 1)]:
                oldest.set()
            self._open[player] = [*own, ended]
            self.count += 1
        return ended, lambda: self._leave(player, ended)

    def _leave(self, player: int, ended: Event) -> None:
        with self._lock:
            self.count -= 1
            self._open[player] = [other for other in self._open[player] if other is not ended]
            if not self._open[player]:
                del self._open[player]

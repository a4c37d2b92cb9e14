"""The open event streams of this process, limited in total, by player, by network and in time."""

from collections import Counter
from collections.abc import Callable
from threading import Event, Lock

from werkzeug.exceptions import ServiceUnavailable

from mail.incoming.peers import is_elsewhere, network_of
from server.limits import MOST_STREAMS, MOST_STREAMS_EACH, MOST_STREAMS_OF_NETWORK

EXTENSION = "api_streams"
_ENOUGH = "Too many event streams are open at the moment. Request your games instead, or try again later."
_ENOUGH_OF_NETWORK = (
    "Too many event streams are open from your network. Request your games instead, or try again later."
)
_PATIENCE = 60


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
        self._open: dict[int, list[Event]] = {}
        self._lock = Lock()

    def enter(self, player: int, peer: str) -> tuple[Event, Callable[[], None]]:
        """Register a new stream; return an event that is set when it must end, and a function to unregister it.

        If the player has too many streams, their oldest ends, because the connection may be dead. Raises
        ServiceUnavailable if there are too many in total or in the network of `peer`, an IP address.
        """
        ended = Event()
        network = network_of(peer) if is_elsewhere(peer) else ""
        with self._lock:
            own = self._open.get(player, [])
            if len(own) < self._each:
                if self.count >= self._most:
                    raise ServiceUnavailable(_ENOUGH, retry_after=_PATIENCE)
                if network and self._networks[network] >= self._of_network:
                    raise ServiceUnavailable(_ENOUGH_OF_NETWORK, retry_after=_PATIENCE)
            for oldest in own[: max(0, len(own) - self._each + 1)]:
                oldest.set()
            self._open[player] = [*own, ended]
            self._networks[network] += 1
            self.count += 1
        return ended, lambda: self._leave(player, network, ended)

    def _leave(self, player: int, network: str, ended: Event) -> None:
        with self._lock:
            self.count -= 1
            self._networks -= Counter([network])
            self._open[player] = [other for other in self._open[player] if other is not ended]
            if not self._open[player]:
                del self._open[player]

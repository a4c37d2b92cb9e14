"""The event streams that this process holds open: limited in all, by player, by network and in time."""

from collections import Counter
from collections.abc import Callable
from threading import Event, Lock

from werkzeug.exceptions import ServiceUnavailable

from mail.incoming.peers import is_elsewhere, network_of
from server.limits import MOST_STREAMS, MOST_STREAMS_EACH, MOST_STREAMS_OF_NETWORK

EXTENSION = "api_streams"
_ENOUGH = "Too many programs listen here just now. Ask for your games instead, or come back later."
_ENOUGH_OF_NETWORK = (
    "Too many event streams are open from your network. Ask for your games instead, or come back later."
)
_PATIENCE = 60


class Streams:
    """`lasts`: seconds after which a stream ends; `look`: between two looks; `beat`: between signs of life."""

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
        """How many are open."""
        self._most, self._each, self._of_network = most, each, of_network
        self._networks: Counter[str] = Counter()
        self._open: dict[int, list[Event]] = {}
        self._lock = Lock()

    def enter(self, player: int, peer: str) -> tuple[Event, Callable[[], None]]:
        """Take a place for one more: return what is set when it has to end, and what gives the place back.

        Where a player has enough, the oldest of theirs ends: they may have lost it without our knowing. Raises
        ServiceUnavailable where there are enough in all, or in the network of `peer`, an IP address.
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

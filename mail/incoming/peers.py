"""Peers by where they are, and how many from one place are here at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Networks = tuple[IPv4Network | IPv6Network, ...]

_IPV6_NETWORK = 64  # bits: what one customer is given has so many in common, at least


def read_networks(text: str) -> Networks:
    """Addresses and networks, separated by commas. Raises ValueError for what is neither."""
    return tuple(ip_network(each.strip()) for each in text.split(",") if each.strip())


def is_address(text: str) -> bool:
    """Whether a text is an IP address."""
    return _address(text) is not None


def within(peer: str, networks: Networks) -> bool:
    """Whether an IP address is in one of the networks; other text is in none."""
    address = _address(peer)
    return address is not None and any(address in network for network in networks)


def is_elsewhere(peer: str) -> bool:
    """Whether a text is the IP address of another computer than this one."""
    address = _address(peer)
    return address is not None and not address.is_loopback


def network_of(peer: str) -> str:
    """What all addresses of one customer have in common: an IPv4 address itself, or the /64 of an IPv6 address.

    Other text, such as "" when the address is unknown, is a place of its own.
    """
    address = _address(peer)
    if address is None:
        return peer
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((int(address), _IPV6_NETWORK), strict=False))


def _address(peer: str) -> IPv4Address | IPv6Address | None:
    """The IP address in a text, IPv4 if it is an IPv4 address written as IPv6; None for other text."""
    try:
        address = ip_address(peer)
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address


@dataclass(frozen=True)
class Quota:
    """Room for `most` in all, of which `ours` is for our own peers only, and for `each` per place."""

    most: int
    ours: int
    each: int


class ConnectionPool:
    """How much of something each place has, while there is room. Not for several threads at once."""

    def __init__(self, room: Quota) -> None:
        self._room = room
        self._had: Counter[str] = Counter()
        self._total = 0

    @property
    def total(self) -> int:
        """What all places have."""
        return self._total

    def had(self, place: str) -> int:
        """What one place has."""
        return self._had[place]

    def take(self, place: str, amount: int, *, own: bool) -> bool:
        """Take this much more for `place` if it may have it, and say so; our own peers have no limit each."""
        room = self._room
        if self._total + amount > (room.most if own else room.most - room.ours):
            return False
        if not own and self._had[place] + amount > room.each:
            return False
        self._had[place] += amount
        self._total += amount
        return True

    def give_back(self, place: str, amount: int) -> None:
        """What `place` has taken and needs no more."""
        self._had[place] -= amount
        self._total -= amount
        if self._had[place] <= 0:
            del self._had[place]


@dataclass
class Lease:
    """One of the connections; `holds` is how many bytes of unfinished mail it has here."""

    connections: ConnectionPool
    unfinished: ConnectionPool
    place: str
    own: bool
    inside: bool = False
    holds: int = 0

    def enters(self) -> bool:
        """Whether there is room for it; if so, it has to leave in the end."""
        self.inside = self.connections.take(self.place, 1, own=self.own)
        return self.inside

    def leaves(self) -> None:
        """Make its room free for another."""
        if self.inside:
            self.connections.give_back(self.place, 1)
        self.inside = False

    def brings(self, size: int) -> bool:
        """Whether there is room for this many more bytes."""
        if not self.unfinished.take(self.place, size, own=self.own):
            return False
        self.holds += size
        return True

    def has_brought(self) -> None:
        """All bytes are stored, or thrown away."""
        self.unfinished.give_back(self.place, self.holds)
        self.holds = 0

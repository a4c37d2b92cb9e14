"""Limits on the connections from one network, and the network of an IP address."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Networks = tuple[IPv4Network | IPv6Network, ...]

_IPV6_NETWORK = 64  # bits that the addresses of one customer have in common, at least


# The settings are read again for each email.
@lru_cache(maxsize=16)
def read_networks(text: str) -> Networks:
    """Parse addresses and networks such as `192.0.2.1, 10.0.0.0/8`. Raises ValueError."""
    return tuple(ip_network(each.strip()) for each in text.split(",") if each.strip())


def is_address(text: str) -> bool:
    """Return whether a text is an IP address."""
    return _address(text) is not None


def within(peer: str, networks: Networks) -> bool:
    """Return whether an IP address is in one of the networks; other text is in none."""
    address = _address(peer)
    return address is not None and any(address in network for network in networks)


def is_elsewhere(peer: str) -> bool:
    """Return whether a text is the IP address of another computer."""
    address = _address(peer)
    return address is not None and not address.is_loopback


def network_of(peer: str) -> str:
    """Return the network of an IP address that belongs to one customer: the address, or an IPv6 address's /64.

    For example, `2001:db8:1:2:3::4` gives `2001:db8:1:2::/64`. Other text, such as "" for an unknown address,
    counts as a network.
    """
    address = _address(peer)
    if address is None:
        return peer
    if isinstance(address, IPv4Address):
        return str(address)
    return str(ip_network((int(address), _IPV6_NETWORK), strict=False))


def _address(peer: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address in a text, IPv4 for an IPv4 address written as IPv6; None for other text."""
    try:
        address = ip_address(peer)
    except ValueError:
        return None
    return (address.ipv4_mapped if isinstance(address, IPv6Address) else None) or address


@dataclass(frozen=True)
class Quota:
    """The limits of a resource: `most` in total, `ours` of it for trusted peers, and `each` per network."""

    most: int
    ours: int
    each: int


class ConnectionPool:
    """Counts how much of a limited resource, such as connections, each network uses. Not thread-safe."""

    def __init__(self, room: Quota) -> None:
        self._room = room
        self._had: Counter[str] = Counter()
        self._total = 0

    @property
    def total(self) -> int:
        """Return the amount that all networks use."""
        return self._total

    def had(self, place: str) -> int:
        """Return the amount that the network `place` uses."""
        return self._had[place]

    def take(self, place: str, amount: int, *, own: bool) -> bool:
        """Take an amount for the network `place` if the limits allow it; return whether they do.

        Trusted peers (`own`) have no limit per network.
        """
        room = self._room
        if self._total + amount > (room.most if own else room.most - room.ours):
            return False
        if not own and self._had[place] + amount > room.each:
            return False
        self._had[place] += amount
        self._total += amount
        return True

    def give_back(self, place: str, amount: int) -> None:
        """Return an amount that the network `place` has taken."""
        self._had[place] -= amount
        self._total -= amount
        if self._had[place] <= 0:
            del self._had[place]


@dataclass
class Lease:
    """The part of the limits that one connection uses; `holds` is the size of its unfinished email in bytes."""

    connections: ConnectionPool
    unfinished: ConnectionPool
    place: str
    own: bool
    inside: bool = False
    holds: int = 0

    def enters(self) -> bool:
        """Return whether one more connection is allowed, and count it; if so, call `leaves` when it ends."""
        self.inside = self.connections.take(self.place, 1, own=self.own)
        return self.inside

    def leaves(self) -> None:
        """Stop counting the connection, because it has ended."""
        if self.inside:
            self.connections.give_back(self.place, 1)
        self.inside = False

    def brings(self, size: int) -> bool:
        """Return whether `size` more bytes of email are allowed, and count them."""
        if not self.unfinished.take(self.place, size, own=self.own):
            return False
        self.holds += size
        return True

    def has_brought(self) -> None:
        """Stop counting the bytes of the connection, because they were stored or discarded."""
        self.unfinished.give_back(self.place, self.holds)
        self.holds = 0

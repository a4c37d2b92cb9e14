"""The order in which notifications are sent, and hosts that answer slowly: these get a separate lane.

Notifications go out in batches, and a batch takes as long as its slowest one. So a host that answers slowly
waits in a separate lane for a while, and a batch is chosen fairly: many notifications of one player, or at one
host, do not delay those of others.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from urllib.parse import urlsplit

QUICK = 5
"""Seconds that a notification may take outside of the slow lane."""
SLOW_FOR = timedelta(minutes=15)
"""How long a host or a channel remains in the slow lane after it was slow."""


class SlowHosts:
    """The hosts and channels that have answered slowly in the last minutes, in the memory of one process."""

    def __init__(self) -> None:
        # The threads of both lanes replace these mappings and never change them in place. If both do so at the
        # same moment, one entry is lost; it returns when that host is slow again.
        self._hosts: Mapping[str, datetime] = {}
        self._channels: Mapping[int, datetime] = {}

    def any(self, now: datetime) -> bool:
        """Return whether any host is slow."""
        self._hosts = {host: until for host, until in self._hosts.items() if until > now}
        return bool(self._hosts)

    def channels(self, now: datetime) -> list[int]:
        """Return the channels that are in the slow lane."""
        self._channels = {channel: until for channel, until in self._channels.items() if until > now}
        return list(self._channels)

    def learn(self, now: datetime, answers: Iterable[tuple[int, str, bool]]) -> None:
        """Record which channels and hosts were slow; a host is slow if all its channels were.

        `answers` has channel, host and slowness of each.
        """
        channels, hosts = {}, defaultdict(list)
        for channel, host, slow in answers:
            hosts[host].append(slow)
            if slow:
                channels[channel] = now + SLOW_FOR
        if channels:
            slow_hosts = {host: now + SLOW_FOR for host, slow in hosts.items() if all(slow)}
            self._hosts, self._channels = {**self._hosts, **slow_hosts}, {**self._channels, **channels}

    def divert(self, now: datetime, hosts: Mapping[int, str]) -> Collection[int]:
        """Move channels whose hosts are slow into the slow lane, as long as the hosts stay there; return them.

        `hosts` are hosts by channel.
        """
        known = self._hosts
        slow = {channel: known[host] for channel, host in hosts.items() if known.get(host, now) > now}
        if slow:
            self._channels = {**self._channels, **slow}
        return slow


def host_of(address: str) -> str:
    """Return the host in the address of a channel or a browser, such as ntfy.sh in `ntfys://ntfy.sh/nabu`."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def in_turn(waiting: Iterable[tuple[int, int | None, str]]) -> list[int]:
    """Return the numbers of notifications in a fair order; `waiting` has number, player and host of each.

    First one of each player, then a second one of each, and so on; among those, first one of each host.
    """
    players: Counter[int | None] = Counter()
    hosts: Counter[tuple[int, str]] = Counter()
    ranked: list[tuple[int, int, int, int]] = []
    for number, player, host in waiting:
        players[player] += 1
        place = (players[player], host)
        hosts[place] += 1
        ranked.append((players[player], hosts[place], len(ranked), number))
    return [number for *_, number in sorted(ranked)]

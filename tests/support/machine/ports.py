"""Free ports, for servers that need a port before they start."""

from __future__ import annotations

import os
import socket
from itertools import cycle

_ALL = range(10_000, 32_000)
"""Below the ports that the system gives away by itself: no connection takes one before its server is up."""


def _own() -> range:
    """Those of this process, of several that run tests at once."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % workers
    share = len(_ALL) // workers
    return _ALL[share * worker : share * (worker + 1)]


def _turned(ports: range, turn: int) -> list[int]:
    """The same ports, beginning elsewhere: others may run the same tests on this machine."""
    first = turn % len(ports)
    return [*ports[first:], *ports[:first]]


_next = cycle(_turned(_own(), 997 * os.getpid()))


def free_ports(number: int) -> list[int]:
    """Yield free ports of this machine; none is returned twice before all others were."""
    found: list[int] = []
    while len(found) < number:
        port = next(_next)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
    return found


def free_port() -> int:
    """One such port."""
    return free_ports(1)[0]


def free_row(number: int) -> int:
    """The first of so many such ports that follow one another."""
    while True:
        found = free_ports(number)
        if found[-1] == found[0] + number - 1:
            return found[0]

"""Ports for servers of the tests that have to be told theirs before they start."""

from __future__ import annotations

import os
import socket
from itertools import count

_next = count(10_000 + 20 * (os.getpid() % 1000))
"""Below the ports that the system gives away by itself: no connection takes one before its server is up."""


def free_ports(number: int) -> list[int]:
    """Ports of this machine on which nobody listens; none is given twice."""
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

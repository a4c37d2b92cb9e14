"""Wait until something happens, not for a fixed time."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import closing, suppress

PATIENCE = 120.0  # seconds for a server to come up or to do something


def await_port(port: int) -> None:
    """Return when something listens there."""

    def listens() -> bool:
        with suppress(OSError), closing(socket.create_connection(("127.0.0.1", port), timeout=1)):
            return True
        return False

    await_that(listens)


def await_that(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Return when the condition holds; fail if it does not within `patience` seconds."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, "waited for too long"
        time.sleep(0.02)

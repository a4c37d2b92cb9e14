"""A process of `nabu serve` ends with it, however that ends."""

import os
import signal
import threading

_LAST_GRACE = 30.0
"""Seconds after which a process whose parent is gone ends, whatever it is doing."""


def end_with_parent(lifeline: int) -> None:
    """End this process when the other end of a pipe is closed, as when the parent is killed."""

    def follow() -> None:
        os.read(lifeline, 1)
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(_LAST_GRACE)
        os._exit(1)

    threading.Thread(target=follow, name="lifeline", daemon=True).start()

"""End the processes of `nabu serve` together with it, even when it is killed."""

import os
import signal
import threading

_LAST_GRACE = 30.0
"""Seconds after which a process whose parent has ended is stopped by force."""


def end_with_parent(lifeline: int) -> None:
    """End this process when the other end of the pipe is closed, for example because the parent was killed."""

    def follow() -> None:
        os.read(lifeline, 1)
        os.kill(os.getpid(), signal.SIGTERM)
        threading.Event().wait(_LAST_GRACE)
        os._exit(1)

    threading.Thread(target=follow, name="lifeline", daemon=True).start()

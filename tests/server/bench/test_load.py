"""The senders of benchmarks."""

from __future__ import annotations

import socket
import subprocess
import sys

_INTERRUPTED = """\
import sys
from server.bench.harness.load import Couriers
Couriers([("127.0.0.1", int(sys.argv[1]))])
raise KeyboardInterrupt
"""


def test_senders_do_not_keep_an_interrupted_command_alive() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = str(silent.getsockname()[1])
        ended = subprocess.run(
            [sys.executable, "-c", _INTERRUPTED, port], capture_output=True, check=False, timeout=30
        )
    assert b"KeyboardInterrupt" in ended.stderr

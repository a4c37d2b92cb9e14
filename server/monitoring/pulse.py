"""The pulse of a process: `nabu serve` replaces a process that has shown no sign of life for two minutes."""

import os
from contextlib import suppress
from pathlib import Path

from server.monitoring.metrics import FOLDER


def file_of(folder: str, name: str) -> Path:
    """Return the file that a process touches; the folder is that of the metrics."""
    return Path(folder, f"{name}.pulse")


def beat(name: str) -> None:
    """Show that the work of this process goes on."""
    folder = os.environ.get(FOLDER)
    if folder:
        with suppress(OSError):
            file_of(folder, name).touch()

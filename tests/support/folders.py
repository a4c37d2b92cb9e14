"""Folders with the files that tests read, and one in memory for files that they write."""

from __future__ import annotations

import shutil
from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
DOCS = ROOT / "docs"
RECORDS = TESTS / "records"
MAILS = TESTS / "mails"
E2E = TESTS / "e2e"
SERVER = TESTS / "server"
STORED = TESTS / "stored"

_MEMORY = Path("/dev/shm")  # noqa: S108 - anyone who writes there makes a folder of their own
_ROOM = 1 << 30


def memory() -> Path | None:
    """A folder in memory with room for databases, so that no test waits for a disk; None if there is none."""
    roomy = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM
    return _MEMORY if roomy else None

"""A disk of its own for the database, that can be full."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEGABYTE = 1 << 20
_LEAST = 4096


class Disk:
    """A file system at `folder`; `can_be_full` where it is one of its own."""

    def __init__(self, folder: Path, *, can_be_full: bool) -> None:
        self.folder = folder
        self.can_be_full = can_be_full

    @contextmanager
    def full(self) -> Iterator[None]:
        """Nothing more can be written meanwhile."""
        ballast = self.folder / "ballast"
        try:
            with ballast.open("wb") as file:
                _fill(file.fileno())
            yield
        finally:
            ballast.unlink(missing_ok=True)


@contextmanager
def mounted(folder: Path, megabytes: int) -> Iterator[Disk]:
    """A disk of this size: an image mounted by root; for other users a plain folder."""
    place = folder / "disk"
    place.mkdir()
    if os.getuid() != 0:
        yield Disk(place, can_be_full=False)
        return
    image = folder / "disk.img"
    with image.open("wb") as file:
        file.truncate(megabytes * _MEGABYTE)
    _run("mkfs.ext4", "-q", "-m", "0", str(image))
    _run("mount", "-o", "loop", str(image), str(place))
    try:
        yield Disk(place, can_be_full=True)
    finally:
        _run("umount", "--lazy", str(place))
        image.unlink()


def _fill(file: int) -> None:
    """Fill the rest of the disk in smaller and smaller pieces."""
    piece = 1 << 30
    size = 0
    while piece >= _LEAST:
        try:
            os.posix_fallocate(file, size, piece)
        except OSError:
            piece //= 2
        else:
            size += piece


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)

"""Samples of the memory and the open files of each process."""

from __future__ import annotations

import re
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from tests.soak.house import House

_EVERY = 1.0
_RSS = re.compile(r"VmRSS:\s+(\d+) kB")


@dataclass(frozen=True)
class Reading:
    """Of one process at one moment: `at` on the monotonic clock, `memory` in MB."""

    at: float
    pid: int
    memory: float
    files: int


@dataclass(frozen=True)
class Course:
    """How a process that was not killed began a span of time, and ended it; memory in MB."""

    memory: tuple[float, float]
    files: tuple[float, float]


class Meters:
    """Reads all processes of a house, in a thread of its own."""

    def __init__(self, house: House) -> None:
        self.readings: dict[str, list[Reading]] = defaultdict(list)
        self._house = house
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def close(self) -> None:
        """Read no more."""
        self._closing.set()
        self._thread.join()

    def course(self, name: str, since: float, until: float) -> Course:
        """Of a process in a span of time, but for its first fifth, as it warms up; the mean of a tenth each."""
        pid = self.readings[name][-1].pid
        warm = since + (until - since) / 5
        found = [each for each in self.readings[name] if each.pid == pid and warm <= each.at <= until]
        tenth = max(1, len(found) // 10)
        first, last = found[:tenth], found[-tenth:]
        return Course(
            (mean(each.memory for each in first), mean(each.memory for each in last)),
            (mean(each.files for each in first), mean(each.files for each in last)),
        )

    def _watch(self) -> None:
        while not self._closing.wait(_EVERY):
            for name, part in self._house.parts.items():
                place = Path("/proc", str(part.pid))
                try:
                    found = _RSS.search((place / "status").read_text())
                    files = len(list((place / "fd").iterdir()))
                except OSError:
                    continue  # it has been killed
                if found is not None:
                    memory = int(found[1]) / 1024
                    self.readings[name].append(Reading(time.monotonic(), part.pid, memory, files))

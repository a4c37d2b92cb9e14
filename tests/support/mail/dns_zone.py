"""A DNS lookup without a network, with records, names without an answer, and a log of requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mail.authentication.checks.dns import LookupFailed


@dataclass
class Zone:
    """A lookup with `records` by name and kind; for the names in `silent` it raises LookupFailed."""

    records: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, name: str, game_type: str) -> Sequence[str]:
        self.asked.append((name, game_type))
        if name in self.silent:
            raise LookupFailed(name)
        return self.records.get((name, game_type), [])

    def add(self, name: str, game_type: str, *records: str) -> None:
        self.records.setdefault((name, game_type), []).extend(records)


def zone(*lines: str) -> Zone:
    """Return a zone from lines `name KIND record`."""
    made = Zone()
    for line in lines:
        name, game_type, record = line.split(" ", 2)
        made.add(name, game_type, record)
    return made

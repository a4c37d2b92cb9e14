"""A DNS lookup without a network: its records, names that do not answer, and what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mail.authentication.checks.dns import LookupFailed


@dataclass
class Zone:
    """A lookup; `records` by name and kind, `silent` the names about which nobody answers."""

    records: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    silent: set[str] = field(default_factory=set)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, name: str, kind: str) -> Sequence[str]:
        self.asked.append((name, kind))
        if name in self.silent:
            raise LookupFailed(name)
        return self.records.get((name, kind), [])

    def add(self, name: str, kind: str, *records: str) -> None:
        self.records.setdefault((name, kind), []).extend(records)


def zone(*lines: str) -> Zone:
    """From lines `name KIND record`."""
    made = Zone()
    for line in lines:
        name, kind, record = line.split(" ", 2)
        made.add(name, kind, record)
    return made

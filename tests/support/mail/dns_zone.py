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

    def __call__(self, name: str, game_type: str) -> Sequence[str]:
        self.asked.append((name, game_type))
        if name in self.silent:
            raise LookupFailed(name)
        return self.records.get((name, game_type), [])

    def add(self, name: str, game_type: str, *records: str) -> None:
        self.records.setdefault((name, game_type), []).extend(records)


def zone(*lines: str) -> Zone:
    """From lines `name KIND record`."""
    made = Zone()
    for line in lines:
        name, game_type, record = line.split(" ", 2)
        made.add(name, game_type, record)
    return made

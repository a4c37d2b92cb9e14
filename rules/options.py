"""What can be agreed on for a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Option:
    """One thing to agree on: `about` says in a sentence what it is.

    `values` are all that it can have, in the order in which people choose among them; `words` describe those
    that do not speak for themselves.
    """

    about: str
    values: Sequence[object]
    words: Mapping[object, str] = field(default_factory=dict)

    def choices(self) -> list[tuple[str, str]]:
        """Every value as text, with the words for it."""
        return [(str(value), self.words.get(value, str(value))) for value in self.values]

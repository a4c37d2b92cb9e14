"""The options of games, such as the size of the board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Option:
    """One option of a game, such as the size of its board; `about` describes it in a sentence.

    `values` are all its values, in the order in which they are offered; `words` describe the values that are
    not clear without the name of the option: "hex-13" is "169 hexagons", and 3 is "3 players".
    """

    about: str
    values: Sequence[object]
    words: Mapping[object, str] = field(default_factory=dict)

    def choices(self) -> list[tuple[str, str]]:
        """Return every value as text, with its description."""
        return [(str(value), self.words.get(value, str(value))) for value in self.values]

"""The strength of computer players: five levels in every game, from 1, the weakest, to 5."""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = range(1, 6)
NAMES = ("Belshazzar", "Enkidu", "Amytis", "Hammurabi", "Berossus")
"""The names of the computer players of each level, figures from the history of Babylon, the weakest first."""


def level_of(text: str) -> int | None:
    """Return the level that a text names, by its number or by the player's name, None if there is none."""
    named = {name.casefold(): level for level, name in zip(LEVELS, NAMES, strict=True)}
    numbered = {str(level): level for level in LEVELS}
    return (named | numbered).get(text.strip().casefold())


@dataclass(frozen=True)
class Strength:
    """The effort of one level for a move."""

    nodes: int
    """Positions that it searches."""
    slips: float = 0.0
    """The share of its moves that are random instead, so that it overlooks things."""
    proves: int = 0
    """Positions that it searches for a certain win before the normal search."""


STRENGTHS = (
    Strength(30, slips=0.4),
    Strength(60, slips=0.15),
    Strength(150),
    Strength(500, proves=2_000),
    Strength(2_000, proves=20_000),
)
"""From the weakest on."""

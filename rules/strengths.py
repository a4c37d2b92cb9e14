"""How strong computer players are: five strengths in every game, from 1, the weakest, to 5."""

from __future__ import annotations

from dataclasses import dataclass

LEVELS = range(1, 6)
NAMES = ("Belshazzar", "Enkidu", "Amytis", "Hammurabi", "Berossus")
"""What the players of each strength are called, figures of the court of Babylon, from the weakest on."""


def level_of(text: str) -> int | None:
    """The strength that a text names: by its number, or by the name of who has it. None if there is none."""
    named = {name.casefold(): level for level, name in zip(LEVELS, NAMES, strict=True)}
    numbered = {str(level): level for level in LEVELS}
    return (named | numbered).get(text.strip().casefold())


@dataclass(frozen=True)
class Strength:
    """What one strength does for a move."""

    nodes: int
    """Positions it looks at."""
    slips: float = 0.0
    """How often it makes just any move instead, as a share of its moves: it overlooks things."""
    proves: int = 0
    """Positions it looks at to find out for sure who wins, before it thinks."""


STRENGTHS = (
    Strength(30, slips=0.4),
    Strength(60, slips=0.15),
    Strength(150),
    Strength(500, proves=2_000),
    Strength(2_000, proves=20_000),
)
"""From the weakest on."""

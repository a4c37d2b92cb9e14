"""The strength of computer players: five levels in every game, from 1, the weakest, to 5."""

from __future__ import annotations

from dataclasses import dataclass, replace

LEVELS = range(1, 6)
NAMES = ("Belshazzar", "Enkidu", "Amytis", "Hammurabi", "Berossus")
"""The names of the computer players of each level, figures from the history of Babylon, the weakest first."""


def level_of(text: str) -> int | None:
    """Return the level that a text names, such as "4" or "Hammurabi"; None if it names none."""
    named = {name.casefold(): level for level, name in zip(LEVELS, NAMES, strict=True)}
    numbered = {str(level): level for level in LEVELS}
    return (named | numbered).get(text.strip().casefold())


@dataclass(frozen=True)
class Strength:
    """The search effort of one level of computer player for a move."""

    nodes: int
    """Positions that it searches, if not limited by time."""
    work: float | None = None
    """Seconds of processor time that it searches instead."""
    error: float = 0.0
    """The standard deviation of its errors in judging moves, as a multiple of that of their values."""
    proves: int = 0
    """Positions that it searches for a certain win before the normal search."""

    @property
    def searches(self) -> str:
        """The limit of its search for a move, as text: positions, such as "500", or time, such as "5 s"."""
        return f"{self.work:g} s" if self.work else f"{self.nodes:,}"

    def limited(self, work: float | None) -> Strength:
        """Return this strength with `work` processor seconds for a move, if it is limited by time."""
        return self if self.work is None or work is None else replace(self, work=work)

    def by_nodes(self, times: int = 1) -> Strength:
        """Return this strength limited by positions, so that draws give the same moves on every machine.

        It searches `times` as many positions.
        """
        return replace(self, work=None, nodes=times * self.nodes, proves=times * self.proves)


STRENGTHS = (
    Strength(30, error=5.5),
    Strength(60, error=3.0),
    Strength(150, error=1.8),
    Strength(500, error=1.0, proves=2_000),
    Strength(2_000, work=5.0, proves=20_000),
)
"""From the weakest on."""

"""Whether a player takes at least a given share of the points, found out with as few games as possible.

Wald's sequential probability ratio test: after each game it is asked how much more likely the points are if the
share is somewhat more than asked for than if it is somewhat less. Part of a win counts as part of each outcome,
which makes the test slower with many draws, never less certain. Source: Wald, "Sequential Tests of Statistical
Hypotheses" (1945).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import pstdev


@dataclass(frozen=True)
class Sprt:
    """The test whether a share is rather `more` than `less`, wrong in 1 of 20 cases at one of them."""

    less: float
    more: float
    error: float = 0.05

    def verdict(self, points: float, games: int) -> bool | None:
        """Whether it is, as far as so many points in so many games tell; None where they do not yet."""
        ratio = points * log(self.more / self.less)
        ratio += (games - points) * log((1 - self.more) / (1 - self.less))
        bound = log((1 - self.error) / self.error)
        if ratio >= bound:
            return True
        return False if ratio <= -bound else None


def standard_error(points: Sequence[float]) -> float:
    """How far the share of these points may be off, by pairs of games: those are alike in layout and dice."""
    pairs = [(one + two) / 2 for one, two in zip(points[::2], points[1::2], strict=False)]
    return pstdev(pairs) / sqrt(len(pairs)) if pairs else 0.5

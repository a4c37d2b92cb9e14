"""A test whether a player scores at least a given share of the points, with as few games as possible.

Wald's sequential probability ratio test: after each game it computes how much more likely the points are if the
share is somewhat above the given one than if it is somewhat below. Part of a win counts as part of each
outcome, which makes the test slower with many draws, never less certain. Source: Wald, "Sequential Tests of
Statistical Hypotheses" (1945).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import pstdev

_SPREAD = 1.96
"""The standard errors on each side of an interval that contains 95% of a normal distribution."""


@dataclass(frozen=True)
class Sprt:
    """A test whether a player's share of points is rather `more` or `less`; wrong in 1 of 20 cases."""

    less: float
    more: float
    error: float = 0.05

    def verdict(self, points: float, games: int) -> bool | None:
        """Return True for `more`, False for `less`, from points and games; None if more games are needed."""
        ratio = points * log(self.more / self.less)
        ratio += (games - points) * log((1 - self.more) / (1 - self.less))
        bound = log((1 - self.error) / self.error)
        if ratio >= bound:
            return True
        return False if ratio <= -bound else None


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return the interval that contains the true share in 19 of 20 cases (Wilson's score interval)."""
    if not games:
        return 0.0, 1.0
    share, spread = points / games, _SPREAD**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return middle - half, middle + half


def standard_error(points: Sequence[float]) -> float:
    """Return the standard error of the mean of points, computed from pairs of games.

    The two games of a pair have the same layout and dice.
    """
    pairs = [(one + two) / 2 for one, two in zip(points[::2], points[1::2], strict=False)]
    return pstdev(pairs) / sqrt(len(pairs)) if pairs else 0.5

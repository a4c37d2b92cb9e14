"""How a game went, as everybody may see it who may see the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.analysis.game_report import Assessment, Shares, Slip, shares_of
from rules.game import Json


@dataclass(frozen=True)
class PointView:
    """What each seat could expect after a turn, 0 for the start, in percent."""

    number: int
    percents: tuple[int, ...]


@dataclass(frozen=True)
class SlipView:
    """A turn in which somebody lost much."""

    turn: int
    seat: int
    label: str
    played: str
    percent: int
    better: str
    better_percent: int

    @property
    def sentence(self) -> str:
        """What was lost: "Turn 7, Ann (Black): b1. It left 44 % of the win; a9 would have left 62 %."."""
        return (
            f"Turn {self.turn}, {self.label}: {self.played}. It left {self.percent}\u00a0% of the win; "
            f"{self.better} would have left {self.better_percent}\u00a0%."
        )


@dataclass(frozen=True)
class AssessmentView:
    """How a game went: `labels` are what its players are called, by seat."""

    labels: tuple[str, ...]
    points: tuple[PointView, ...]
    slips: tuple[SlipView, ...]

    @property
    def keys(self) -> str:
        """A letter for each seat, where there is little room: "AB"."""
        return "ABCDEFGH"[: len(self.labels)]

    def thinned(self, most: int) -> AssessmentView:
        """With so many points at most, and those of turns in which somebody lost much."""
        every = -(-len(self.points) // most)
        kept = {0, self.points[-1].number, *(slip.turn for slip in self.slips)}
        points = (each for n, each in enumerate(self.points) if n % every == 0 or each.number in kept)
        return replace(self, points=tuple(points))


def assessment_view(found: Assessment, labels: Sequence[str], result: Json | None) -> AssessmentView:
    """The view of an assessment; the last point is how the game ended, whatever the board says."""
    shares = list(found.shares)
    if result and result["winners"]:
        shares[-1] = shares_of(result["winners"], len(labels))
    points = (PointView(*each) for each in zip(found.numbers, map(_percents, shares), strict=True))
    return AssessmentView(tuple(labels), tuple(points), tuple(_slip(slip, labels) for slip in found.slips))


def _slip(slip: Slip, labels: Sequence[str]) -> SlipView:
    return SlipView(
        turn=slip.turn,
        seat=slip.seat,
        label=labels[slip.seat],
        played=slip.played,
        percent=_percent(slip.share),
        better=slip.better,
        better_percent=_percent(slip.better_share),
    )


def _percents(shares: Shares) -> tuple[int, ...]:
    """They add up to 100."""
    found = [_percent(share) for share in shares]
    found[found.index(max(found))] += 100 - sum(found)
    return tuple(found)


def _percent(share: float) -> int:
    return round(100 * min(max(share, 0.0), 1.0))

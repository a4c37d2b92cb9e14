"""The computer's analysis of a finished game, as everyone who can see the game may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.analysis.game_report import Assessment, Shares, Slip, shares_of
from rules.game import Json


@dataclass(frozen=True)
class PointView:
    """The winning chances of all seats after turn `number`, in percent by seat; turn 0 is the start."""

    number: int
    percents: tuple[int, ...]


@dataclass(frozen=True)
class SlipView:
    """A turn that lowered a player's winning chances a lot."""

    turn: int
    seat: int
    label: str
    played: str
    percent: int
    better: str
    better_percent: int

    @property
    def sentence(self) -> str:
        """Return "Turn 7, Ann (Black): b1 left a winning chance of 44%; a9 would have left 62%."."""
        return (
            f"Turn {self.turn}, {self.label}: {self.played} left a winning chance of {self.percent}%; "
            f"{self.better} would have left {self.better_percent}%."
        )


@dataclass(frozen=True)
class AssessmentView:
    """The analysis of a game: `labels` are the names of the players, by seat."""

    labels: tuple[str, ...]
    points: tuple[PointView, ...]
    slips: tuple[SlipView, ...]

    @property
    def keys(self) -> str:
        """Return a letter for each seat, for places with little space: "AB"."""
        return "ABCDEFGH"[: len(self.labels)]

    def thinned(self, most: int) -> AssessmentView:
        """Return the analysis with about `most` points, including the last and those of slips."""
        every = -(-len(self.points) // most)
        kept = {0, self.points[-1].number, *(slip.turn for slip in self.slips)}
        points = (each for n, each in enumerate(self.points) if n % every == 0 or each.number in kept)
        return replace(self, points=tuple(points))


def assessment_view(found: Assessment, labels: Sequence[str], result: Json | None) -> AssessmentView:
    """Return the view of an assessment; the last point is the result of the game."""
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
    """Round to percentages that add up to 100."""
    found = [_percent(share) for share in shares]
    found[found.index(max(found))] += 100 - sum(found)
    return tuple(found)


def _percent(share: float) -> int:
    return round(100 * min(max(share, 0.0), 1.0))

"""Coordinates for a chart of ratings over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from server.game.views.profile import Moment, RatingView

WIDTH, HEIGHT = 480, 200
_LEFT, _EDGE = 46, 10
_STEPS = (20, 50, 100, 200, 500, 1000)
_MOST_LEVELS = 5


@dataclass(frozen=True)
class RatingLine:
    """One rating: its pace, and the points of its line in SVG notation."""

    pace: str
    points: str


@dataclass(frozen=True)
class Plot:
    """A chart; the levels are pairs of a height in it and the rating there."""

    lines: tuple[RatingLine, ...]
    levels: tuple[tuple[float, int], ...]
    first: datetime
    last: datetime
    left: int = _LEFT
    width: int = WIDTH
    height: int = HEIGHT


def plot(ratings: Sequence[RatingView]) -> Plot | None:
    """Return the chart of ratings in one game; None while no rating has two points."""
    drawn = [rating for rating in ratings if len(rating.course) > 1]
    if not drawn:
        return None
    moments = [moment for rating in drawn for moment in rating.course]
    first, last = min(each.at for each in moments), max(each.at for each in moments)
    levels = _levels([each.number for each in moments])
    low, high = levels[0], levels[-1]
    span = max(last - first, timedelta(seconds=1))

    def place(moment: Moment) -> str:
        across = _LEFT + (WIDTH - _LEFT - _EDGE) * ((moment.at - first) / span)
        return f"{across:.0f},{_height(moment.number, low, high):.0f}"

    return Plot(
        lines=tuple(RatingLine(each.pace, " ".join(map(place, each.course))) for each in drawn),
        levels=tuple((round(_height(level, low, high)), level) for level in levels),
        first=first,
        last=last,
    )


def _levels(numbers: Sequence[int]) -> list[int]:
    """Return a few round ratings that enclose all numbers."""
    low, high = min(numbers), max(numbers)
    for step in _STEPS:
        bottom = low // step
        top = max(-(-high // step), bottom + 1)
        if top - bottom < _MOST_LEVELS or step == _STEPS[-1]:
            break
    return [each * step for each in range(bottom, top + 1)]


def _height(number: int, low: int, high: int) -> float:
    return _EDGE + (HEIGHT - 2 * _EDGE) * (high - number) / (high - low)

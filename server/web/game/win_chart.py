"""Coordinates for the chart of an analysed game: each player's chance of winning after each turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.game.views.analysis import AssessmentView, PointView

WIDTH, HEIGHT = 480, 200
_LEFT, _EDGE = 56, 12
_LEVELS = (0, 50, 100)


@dataclass(frozen=True)
class WinLine:
    """The chances of one seat: its label, and the points of its line in SVG notation."""

    label: str
    points: str


@dataclass(frozen=True)
class Band:
    """The clickable area of one turn, which links to its board."""

    left: float
    width: float
    number: int
    title: str


@dataclass(frozen=True)
class Curve:
    """A chart; the levels are pairs of a height in it and the percentage there."""

    lines: tuple[WinLine, ...]
    bands: tuple[Band, ...]
    slips: tuple[tuple[float, float], ...]
    """The points of moves that lost much."""
    levels: tuple[tuple[float, int], ...]
    shown: float | None
    """The position of the turn on the board; None if the chart does not contain it."""
    left: int = _LEFT
    width: int = WIDTH
    height: int = HEIGHT


def curve(assessed: AssessmentView, number: int) -> Curve:
    """Return the chart, with turn `number` marked. With two seats, it contains only the first one's line."""
    points = assessed.points
    across = {each.number: _across(n, len(points)) for n, each in enumerate(points)}
    drawn = range(1 if len(assessed.labels) == 2 else len(assessed.labels))
    percents = {each.number: each.percents for each in points}
    return Curve(
        lines=tuple(WinLine(assessed.labels[seat], _joined(points, seat)) for seat in drawn),
        bands=tuple(_band(each, n, len(points), assessed.labels) for n, each in enumerate(points)),
        slips=tuple(
            (across[slip.turn], _height(percents[slip.turn][slip.seat if slip.seat in drawn else 0]))
            for slip in assessed.slips
        ),
        levels=tuple((_height(level), level) for level in _LEVELS),
        shown=across.get(number),
    )


def _joined(points: Sequence[PointView], seat: int) -> str:
    places = ((_across(n, len(points)), _height(each.percents[seat])) for n, each in enumerate(points))
    return " ".join(f"{across:.0f},{height:.0f}" for across, height in places)


def _band(point: PointView, n: int, many: int, labels: Sequence[str]) -> Band:
    width = (WIDTH - _LEFT - _EDGE) / max(many - 1, 1)
    shares = ", ".join(f"{label} {share}%" for label, share in zip(labels, point.percents, strict=True))
    title = f"{f'Turn {point.number}' if point.number else 'The start'}: {shares}"
    return Band(round(_across(n, many) - width / 2, 1), round(width, 1), point.number, title)


def _across(n: int, many: int) -> float:
    return round(_LEFT + (WIDTH - _LEFT - _EDGE) * n / max(many - 1, 1), 1)


def _height(percent: int) -> float:
    return round(_EDGE + (HEIGHT - 2 * _EDGE) * (100 - percent) / 100, 1)

"""How a game went, as numbers for a picture: a curve of the shares of the win, to be clicked on."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.game.views.analysis import AssessmentView, PointView

WIDTH, HEIGHT = 480, 200
_LEFT, _EDGE = 56, 12
_LEVELS = (0, 50, 100)


@dataclass(frozen=True)
class WinLine:
    """What one seat could expect: its label, and the points that are joined, as SVG writes them."""

    label: str
    points: str


@dataclass(frozen=True)
class Band:
    """The room of one turn, from the left, which leads to its board."""

    left: float
    width: float
    number: int
    title: str


@dataclass(frozen=True)
class Curve:
    """All of a picture; the levels are heights in it, each with the percentage that it stands for."""

    lines: tuple[WinLine, ...]
    bands: tuple[Band, ...]
    slips: tuple[tuple[float, float], ...]
    """Where somebody lost much."""
    levels: tuple[tuple[float, int], ...]
    shown: float | None
    """Where the turn is that the board shows; None where it is not among these."""
    left: int = _LEFT
    width: int = WIDTH
    height: int = HEIGHT


def curve(assessed: AssessmentView, number: int) -> Curve:
    """The picture; the board shows turn `number`. Of two seats the first is drawn: the other has the rest."""
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
    shares = ", ".join(f"{label} {share} %" for label, share in zip(labels, point.percents, strict=True))
    title = f"{f'Turn {point.number}' if point.number else 'The start'}: {shares}"
    return Band(round(_across(n, many) - width / 2, 1), round(width, 1), point.number, title)


def _across(n: int, many: int) -> float:
    return round(_LEFT + (WIDTH - _LEFT - _EDGE) * n / max(many - 1, 1), 1)


def _height(percent: int) -> float:
    return round(_EDGE + (HEIGHT - 2 * _EDGE) * (100 - percent) / 100, 1)

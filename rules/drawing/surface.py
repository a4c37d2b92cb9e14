"""The ground under the places of an SVG picture: the surface of the board, and the triangles on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.drawing.diagram import Cell, Ground
from rules.drawing.shapes import HALF

PAD = 10
"""The width of the edge of a surface around the places."""
_WIDE, _LONG = 18.5, 185
"""Half the width of a triangle, and its length."""
_BRICKS = {"wall": ' stroke-dasharray="21 1.6"', "frame": ""}


class Spot(NamedTuple):
    """A cell and its middle."""

    cell: Cell
    x: float
    y: float
    hexagonal: bool


def surface(ground: Ground | None, spots: Sequence[Spot]) -> str:
    """Draw the surface under all places, "" for none."""
    places = [spot for spot in spots if spot.cell.name or spot.cell.ground]
    if ground is None or not places:
        return ""
    across, down = [spot.x for spot in places], [spot.y for spot in places]
    left, right, top, bottom = min(across), max(across), min(down), max(down)
    fill, edge = ground.lines
    width = right - left + 2 * HALF + PAD
    height = bottom - top + 2 * HALF + PAD
    start = f'x="{left - HALF - PAD / 2:g}" y="{top - HALF - PAD / 2:g}"'
    return (
        f'<rect class="{ground.name}" {start} width="{width:g}" height="{height:g}" rx="4" fill="{fill}" '
        f'stroke="{fill}" stroke-width="{PAD}"/>'
        f'<rect class="{ground.name}-edge" {start} width="{width:g}" height="{height:g}" rx="4" fill="none" '
        f'stroke="{edge}" stroke-width="{PAD - 3}"{_BRICKS.get(ground.shape, "")}/>'
    )


def triangles(spots: Sequence[Spot]) -> str:
    """Draw the field and the triangle of each column of points, as far as its cells are in the picture."""
    ends: dict[tuple[float, Ground], list[float]] = {}
    for spot in spots:
        ground = spot.cell.ground
        if ground and ground.shape in ("down", "up"):
            ends.setdefault((spot.x, ground), []).append(spot.y)
    if not ends:
        return ""
    top = min(min(ys) for ys in ends.values()) - HALF
    bottom = max(max(ys) for ys in ends.values()) + HALF
    field, colour, paths = "", "", dict[tuple[str, str], str]()
    for (x, ground), ys in ends.items():
        colour, fill = ground.lines
        down = ground.shape == "down"
        edge, end = (min(ys) - HALF, max(ys) + HALF) if down else (max(ys) + HALF, min(ys) - HALF)
        inner = min(end + HALF, bottom) if down else max(end - HALF, top)
        field += f"M{x - HALF - 0.3:g} {edge:g}V{inner:g}h40.6V{edge:g}z"
        slope = _WIDE * min(1, abs(end - edge) / _LONG)
        tip = f"l{-slope:g} {max(-_LONG, min(_LONG, end - edge)):g}h{2 * (slope - _WIDE):g}z"
        key = (ground.name, fill)
        paths[key] = f"{paths.get(key, '')}M{x - _WIDE:g} {edge:g}h{2 * _WIDE:g}{tip}"
    drawn = "".join(
        [f'<path class="{name}" fill="{fill}" d="{path}"/>' for (name, fill), path in paths.items()]
    )
    return f'<path class="baize" fill="{colour}" d="{field}"/>{drawn}'

"""The ground under the places of an SVG picture: the surface of the board, and the triangles on it."""

from __future__ import annotations

from collections.abc import Iterable

from rules.drawing.diagram import Cell, Ground
from rules.drawing.shapes import HALF

PAD = 10
"""The width of the edge of a surface around the places."""
_SLIM = 1.5
"""The distance between a triangle and the sides of its cells."""
_BRICKS = {"wall": ' stroke-dasharray="21 1.6"', "frame": ""}

Spots = Iterable[tuple[Cell, float, float]]
"""Cells, each with its middle."""


def surface(ground: Ground | None, cells: Spots) -> str:
    """Draw the surface under all places, "" for none."""
    places = [(x, y) for cell, x, y in cells if cell.name or cell.ground]
    if ground is None or not places:
        return ""
    (left, right), (top, bottom) = ((min(line), max(line)) for line in zip(*places, strict=True))
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


def triangles(cells: Spots, middle: float) -> str:
    """Draw the field and the triangle of each column of points, from the edge of the board to its middle."""
    columns: dict[tuple[float, bool], tuple[Ground, float]] = {}
    for cell, x, y in cells:
        if cell.ground and cell.ground.shape == "point":
            upper = y < middle
            edge = y - HALF if upper else y + HALF
            outer = columns.get((x, upper), (cell.ground, edge))[1]
            columns[x, upper] = (cell.ground, min(edge, outer) if upper else max(edge, outer))
    fields, named = "", {ground: "" for ground, _ in columns.values()}
    for (x, _), (ground, edge) in columns.items():
        fields += f"M{x - HALF - 0.3:g} {edge:g}V{middle:g}h40.6V{edge:g}z"
        named[ground] += f"M{x - HALF + _SLIM:g} {edge:g}h37l-18.5 {0.84 * (middle - edge):g}z"
    drawn = [
        f'<path class="{ground.name}" fill="{ground.lines[1]}" d="{path}"/>' for ground, path in named.items()
    ]
    field = next((ground.lines[0] for ground in named), "")
    return f'<path class="field" fill="{field}" d="{fields}"/>{"".join(drawn)}' if drawn else ""

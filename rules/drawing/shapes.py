"""The shapes of an SVG picture: places, marks and arrows, each drawn around the origin.

They use presentation attributes and no style attributes, so that a strict content security policy drops
nothing.
"""

from __future__ import annotations

from functools import lru_cache
from math import hypot, sqrt

from rules.drawing.diagram import Ground

HALF = 20
"""Half the width of a cell, in the units of the picture."""
RADIUS = 2 * HALF / sqrt(3)
"""The distance from the middle of a hexagon to its corners."""

CROSS = '<path d="M-5-5L5 5M5-5L-5 5" stroke="#000" stroke-opacity=".45" stroke-width="2"/>'
"""The sign of a place that cannot be picked, where most places can."""
_MARK = "#c16"
_LIGHT = "#128a43"
_ARROWS = {"move": "#0b3d91", "hit": "#a1121a", "destroy": "#a1121a"}
_HIDDEN = 'fill="#000" fill-opacity="0"/>'
ROUND = ("ring", "dot", "down", "up", "tray")
"""The shapes of places with round marks."""


@lru_cache(maxsize=256)
def place(ground: Ground, hexagonal: bool) -> str:
    """Draw the ground of a cell."""
    name = f'class="{ground.name}" ' if ground.name else ""
    match ground.shape:
        case "ring":
            inside, ring, edge = ground.lines
            return (
                f'<circle r="18.7" fill="none" stroke="{edge}" stroke-width="1.4"/>'
                f'<circle {name}r="16.2" fill="{inside}" stroke="{ring}" stroke-width="4.6"/>'
                f'<circle r="13.7" fill="none" stroke="{edge}" stroke-width="1"/>'
            )
        case "dot":
            (dot,) = ground.lines
            return f'<circle r="17" {_HIDDEN}<circle r="2.5" fill="{dot}"/>'
        case "down" | "up" | "hole":
            return f"{_cell(hexagonal, 0)} {_HIDDEN}"
        case "tray":
            return f'{_cell(hexagonal, 0)} {name}fill="{ground.lines[0]}"/>'
        case "tile":
            edge = f'{_cell(hexagonal, 1)} fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="1.5"/>'
            return (
                f'{_cell(hexagonal, 0.2)} {name}fill="{ground.fill}" stroke="#000" stroke-opacity=".5"/>{edge}'
            )
    return f'{_cell(hexagonal, 0)} {name}fill="{ground.fill}" stroke="#000" stroke-opacity=".25"/>'


def outline(ground: Ground, hexagonal: bool, inset: float) -> str:
    """Return the open tag of the outline of a place, smaller than the place itself by `inset`."""
    return f'<circle r="{19 - inset:g}"' if ground.shape in ROUND else _cell(hexagonal, inset)


def _cell(hexagonal: bool, inset: float) -> str:
    """Return the open tag of the outline of a square or hexagonal cell."""
    if hexagonal:
        scale = 1 - inset / HALF
        corners = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
        points = " ".join(f"{x * HALF * scale:.1f},{y * RADIUS / 2 * scale:.1f}" for x, y in corners)
        return f'<polygon points="{points}"'
    side = 2 * (HALF - inset)
    return f'<rect x="{inset - HALF:g}" y="{inset - HALF:g}" width="{side:g}" height="{side:g}"'


@lru_cache(maxsize=64)
def mark(ground: Ground, hexagonal: bool, colour: str = "") -> str:
    """Draw an outline that stands out on every ground, in print too; usually in the colour of marks."""
    shape = outline(ground, hexagonal, 2.5)
    casing = f'{shape} fill="none" stroke="{"#000" if colour else "#fff"}" stroke-width="5"/>'
    return f'{casing}{shape} fill="none" stroke="{colour or _MARK}" stroke-width="3"/>'


@lru_cache(maxsize=1024)
def framed(shape: str, ground: Ground, hexagonal: bool) -> str:
    """Return a shape with an outline around it; elements that use it set the stroke, for example on focus."""
    frame = f'{outline(ground, hexagonal, 2)} fill="none" stroke-width="4"/>'
    return f'<g stroke="none" stroke-opacity="1">{shape}</g>{frame}'


@lru_cache(maxsize=64)
def light(ground: Ground, hexagonal: bool, empty: bool, destroys: bool = False) -> str:
    """Return the sign of a place that can be picked: a dot, or around a piece an outline, which is broken if
    the pick destroys the place.
    """
    if empty:
        return f'<circle class="lit" r="6.5" fill="{_LIGHT}" stroke="#fff" stroke-width="1.5"/>'
    shape = outline(ground, hexagonal, 2)
    casing = f'{shape} fill="none" stroke="#fff" stroke-width="4.5"/>'
    dashes = ' stroke-dasharray="7 6"' if destroys else ""
    return f'<g class="lit">{casing}{shape} fill="none" stroke="{_LIGHT}" stroke-width="3"{dashes}/></g>'


def arrow(sort: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    """Draw an arrow from centre to centre: a move has a solid line, any other a broken one."""
    (x, y), (to_x, to_y) = start, end
    length = hypot(to_x - x, to_y - y)
    if not length:
        return ""
    along, across = (to_x - x) / length, (to_y - y) / length
    tip_x, tip_y = to_x - 11 * along, to_y - 11 * across
    neck_x, neck_y = tip_x - 10 * along, tip_y - 10 * across
    line = f"M{x + 13 * along:.1f} {y + 13 * across:.1f}L{neck_x:.1f} {neck_y:.1f}"
    head = (
        f"M{tip_x:.1f} {tip_y:.1f}L{neck_x - 7 * across:.1f} {neck_y + 7 * along:.1f}"
        f"L{neck_x + 7 * across:.1f} {neck_y - 7 * along:.1f}Z"
    )
    colour = _ARROWS[sort]
    dashes = ' stroke-dasharray="5 3"' if sort != "move" else ""
    return (
        f'<g pointer-events="none"><path d="{line}" stroke="#fff" stroke-width="7"/>'
        f'<path d="{line}" stroke="{colour}" stroke-width="4"{dashes}/>'
        f'<path d="{head}" fill="{colour}" stroke="#fff" stroke-width="1.5"/></g>'
    )

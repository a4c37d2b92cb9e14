"""Dice as small HTML tables for email, and as SVG, since fonts may lack dice characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from rules.drawing.diagram import Die

_PIPS = {
    1: "....#....",
    2: "#.......#",
    3: "#...#...#",
    4: "#.#...#.#",
    5: "#.#.#.#.#",
    6: "#.##.##.#",
}
"""The pips of each die, three characters for each line."""
_PIP = 7
"""The width of a pip in pixels."""
_PAPER, _INK = "#ffffff", "#222222"

_SIDE, _PITCH = 34, 44
"""The side of a die in SVG, and the distance between the middles of two dice, in the units of the picture."""
_BARE = f'fill="none" stroke="{_INK}"'
_FACES = {
    "": f'fill="{_PAPER}" stroke="#555"',
    "used": f'{_BARE} stroke-opacity=".6"',
    "not played": f'{_BARE} stroke-dasharray="4 3"',
}
"""The look of a face, by the state of its die; dice that can no longer be played are only outlines.

They are dark, because the board behind them is light, even on a dark page.
"""


def html_dice(dice: Iterable[int]) -> str:
    """Draw the faces of the dice side by side, "" for none; a caption repeats their numbers."""
    faces = "".join(map(_face, dice))
    return (
        f'<table role="presentation" cellspacing="6" cellpadding="2"><tr>{faces}</tr></table>' if faces else ""
    )


@cache
def _face(die: int) -> str:
    """Draw a white square with dark pips."""
    rows = "".join([f"<tr>{''.join(map(_pip, _PIPS[die][start : start + 3]))}</tr>" for start in (0, 3, 6)])
    return (
        f'<td bgcolor="{_PAPER}" style="border:2px solid #555;border-radius:6px">'
        f'<table role="img" aria-label="A die showing {die}" cellspacing="2" cellpadding="0" '
        f'style="line-height:{_PIP}px;mso-line-height-rule:exactly">{rows}</table></td>'
    )


def _pip(sign: str) -> str:
    fill = f' bgcolor="{_INK}" style="border-radius:50%"' if sign == "#" else ""
    return f'<td width="{_PIP}" height="{_PIP}"{fill}></td>'


def svg_dice(dice: Sequence[Die], x: float, y: float) -> str:
    """Draw the dice side by side around a point of an SVG picture; a used one is struck through."""
    if not dice:
        return ""
    first = x - (len(dice) - 1) * _PITCH / 2
    faces = "".join(
        f'<g transform="translate({first + place * _PITCH:g} {y:g})">{_svg_face(die)}</g>'
        for place, die in enumerate(dice)
    )
    return f'<g role="img" aria-label="Dice: {_listed(dice)}">{faces}</g>'


def _listed(dice: Sequence[Die]) -> str:
    *others, last = map(str, dice)
    return f"{', '.join(others)} and {last}" if others else last


@cache
def _svg_face(die: Die) -> str:
    edge = _SIDE / 2
    ink = f'fill="{_INK}"' + (' fill-opacity=".6"' if die.state else "")
    pips = "".join(
        f'<circle cx="{(place % 3 - 1) * 9}" cy="{(place // 3 - 1) * 9}" r="4"/>'
        for place, sign in enumerate(_PIPS[die.number])
        if sign == "#"
    )
    strike = f'<path d="M{-edge:g} {edge:g}L{edge:g} {-edge:g}" stroke="{_INK}" stroke-width="2"/>'
    return (
        f'<rect x="{-edge:g}" y="{-edge:g}" width="{_SIDE}" height="{_SIDE}" rx="6" stroke-width="2" '
        f"{_FACES[die.state]}/><g {ink}>{pips}</g>{strike if die.state == 'used' else ''}"
    )

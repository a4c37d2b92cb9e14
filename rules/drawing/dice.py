"""Dice as small HTML tables for mail: fonts of mail programs need not have any."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

_PIPS = {
    1: "....#....",
    2: "#.......#",
    3: "#...#...#",
    4: "#.#...#.#",
    5: "#.#.#.#.#",
    6: "#.##.##.#",
}
"""Line by line."""
_PIP = 7
"""The width of a pip in pixels."""
_PAPER, _INK = "#ffffff", "#222222"


def html_dice(dice: Iterable[int]) -> str:
    """The faces of the dice side by side, "" for none; what they show stands in a caption as well."""
    faces = "".join(map(_face, dice))
    return (
        f'<table role="presentation" cellspacing="6" cellpadding="2"><tr>{faces}</tr></table>' if faces else ""
    )


@cache
def _face(die: int) -> str:
    """A white square with dark pips."""
    rows = "".join([f"<tr>{''.join(map(_pip, _PIPS[die][start : start + 3]))}</tr>" for start in (0, 3, 6)])
    return (
        f'<td bgcolor="{_PAPER}" style="border:2px solid #555;border-radius:6px">'
        f'<table role="img" aria-label="A die that shows {die}" cellspacing="2" cellpadding="0" '
        f'style="line-height:{_PIP}px;mso-line-height-rule:exactly">{rows}</table></td>'
    )


def _pip(sign: str) -> str:
    fill = f' bgcolor="{_INK}" style="border-radius:50%"' if sign == "#" else ""
    return f'<td width="{_PIP}" height="{_PIP}"{fill}></td>'

"""A board as an HTML table for mail: inline style only, and nothing that mail programs drop or rewrite."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from html import escape
from types import MappingProxyType

from rules.drawing.diagram import Diagram, Ground, Ink, Row
from rules.drawing.signs import (
    PLAIN,
    arrow_signs,
    cell_sign,
    cell_text,
    half_cells,
    halves,
    legend,
    row_ends,
)

WIDTH = 354
"""The width in pixels that a phone's mail program leaves for a table."""
SMALLEST, LARGEST = 20, 32
"""Pixels of a cell, the smallest for boards wider than any phone."""

_LABEL = "font-weight:normal;color:#767676"
_LINK = "display:block;color:inherit;text-decoration:none"
_NO_LINKS: Mapping[str, str] = MappingProxyType({})


def html_board(diagram: Diagram, links: Mapping[str, str] = _NO_LINKS) -> str:
    """The picture as one table, and a paragraph with the legend and the captions; safe to insert as it is.

    `links` maps names of places to addresses: what is shown in such a place links there.

    Every cell has its own colours and shows its text, with the same signs as in ASCII around what the turn or
    an arrow touched. The table has a column of labels on each side, and between them one column for each cell,
    or in hexagonal pictures one for each half cell, so that rows can be shifted. Up to 15 cells fit a phone.
    """
    span = 2 if diagram.hexagonal else 1
    columns = half_cells(diagram) * span // 2
    margin = 6 + 7 * max((len(label) for row in diagram.rows for label in row_ends(diagram, row)), default=0)
    size = max(SMALLEST, min(LARGEST, span * (WIDTH - 2 * margin) // max(columns, 1))) // 2 * 2
    signs = arrow_signs(diagram)
    rows = [_row(diagram, row, signs, size, columns, links) for row in diagram.rows]
    if diagram.files:
        files = "".join([f'<th scope="col" style="{_LABEL}">{escape(name)}</th>' for name in diagram.files])
        rows = [f"<tr><td></td>{files}</tr>", *rows, f"<tr><td></td>{files}</tr>"]
    edge, column = f'<td width="{margin}"></td>', f'<td width="{size // span - 1}"></td>'
    words = "<br>".join([escape(line) for line in [*legend(diagram), *diagram.captions]])
    below = f'<p style="font:14px/20px Arial,sans-serif">{words}</p>' if words else ""
    return (
        f'<table cellspacing="1" cellpadding="0" width="{columns * size // span + 2 * margin + 3}" '
        f'style="table-layout:fixed;font:bold {size * 6 // 10}px/{size - 3}px Arial,sans-serif;'
        'text-align:center;white-space:nowrap"><tr style="font-size:0;line-height:0">'
        f"{edge}{column * columns}{edge}</tr>{''.join(rows)}</table>{below}"
    )


def _row(
    diagram: Diagram, row: Row, signs: dict[str, str], size: int, columns: int, links: Mapping[str, str]
) -> str:
    span = 2 if diagram.hexagonal else 1
    left, right = row_ends(diagram, row)
    free = row.shift * span // 2
    cells = []
    for cell in row.cells:
        opening, content = _cell(cell_text(cell), cell.ground, cell.ink, cell_sign(cell, signs), size, span)
        cells.append(f"{opening}{_linked(content, links.get(cell.name, ''))}</td>")
    rest = columns - free - span * len(cells)
    ends = _end(left, free, "right"), _end(right, rest, "left")
    return f'<tr height="{size - 1}">{ends[0]}{"".join(cells)}{ends[1]}</tr>'


def _end(label: str, free: int, align: str) -> str:
    """A label directly next to its row, over the columns that the row leaves free."""
    span = f' colspan="{1 + free}"' if free else ""
    style = f"{_LABEL};font-size:12px;padding:0 2px;text-align:{align}"
    return f'<th scope="row"{span} style="{style}">{escape(label)}</th>'


def _linked(content: str, link: str) -> str:
    """A link as large as its cell."""
    return f'<a href="{escape(link)}" style="{_LINK}">{content}</a>' if link else content


@lru_cache(maxsize=4096)
def _cell(
    text: str, ground: Ground | None, ink: Ink | None, sign: str, size: int, span: int
) -> tuple[str, str]:
    """The opening tag and the content of a cell, `size` pixels wide with the gap beside it.

    A border marks it, inside its own space.
    """
    cell = f'<td colspan="{span}" style="' if span > 1 else '<td style="'
    if not ground:
        return f'{cell}{_LABEL};font-size:12px">', escape(text) or "&#160;"
    style = _colours(ground, ink)
    if sign == PLAIN:
        return f'{cell}{style}">', _piece(text, ink, "", size - 3)
    style += f";border:2px solid #c16;line-height:{size - 7}px"
    return f'{cell}{style}">', _piece(text, ink, sign, size - 7)


def _colours(ground: Ground, ink: Ink | None) -> str:
    """The style of a place; a piece brings the colour of its own text."""
    background = f"background:{ground.fill}" if ground.fill else ""
    text = "" if ink and ink.fill else f"color:{ground.text}"
    return ";".join(filter(None, (background, text, "border-radius:50%" if ground.shape == "ring" else "")))


def _piece(text: str, ink: Ink | None, sign: str, room: int) -> str:
    """What a cell with `room` pixels shows: on one line, or on two if it has more than two characters."""
    marbles = ink.marbles if ink else {}
    lines = halves(text) if len(text) > 2 else (text,)
    drawn = "<br>".join([_marbles(line, marbles) if marbles else escape(line) for line in lines])
    style = ""
    if len(lines) == 2:
        style = f"font-size:{room * 45 // 100}px;line-height:{room // 2}px"
    elif marbles and len(text + sign) > 1:
        style = f"font-size:{room // 2}px"
    elif len(text + sign) > 2:
        narrow = sign[:1] in "[("
        style = f"font-size:{room * ((76 if narrow else 64) - 12 * len(text)) // 100}px"
    if ink and not marbles:
        style = f"{_shape(ink, sign)};{style}".rstrip(";")
    drawn = f"{escape(sign[:1])}{drawn}{escape(sign[1:])}"
    return f'<div style="{style}">{drawn}</div>' if style else drawn


def _shape(ink: Ink, sign: str) -> str:
    """A round disc, less round where signs need the room."""
    corner = "50%" if ink.shape == "disc" and not sign else "4px"
    return f"margin:1px;border-radius:{corner};background:{ink.fill};color:{ink.text}"


def _marbles(letters: str, inks: Mapping[str, Ink]) -> str:
    return "".join([_marble(letter, inks[letter]) for letter in letters])


def _marble(letter: str, ink: Ink) -> str:
    style = f"border-radius:50%;padding:0 .2em;background:{ink.fill};color:{ink.text}"
    return f'<b style="{style};font-family:monospace">{letter}</b>'

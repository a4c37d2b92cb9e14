"""A board as an HTML table for email: inline style only, and no HTML that mail programs drop or rewrite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from types import MappingProxyType

from rules.drawing.diagram import Cell, Diagram, Ground, Ink, Row
from rules.drawing.dice import html_dice
from rules.drawing.markers import (
    ENDS,
    MARK,
    PLAIN,
    START,
    TITLES,
    VERBS,
    arrow_signs,
    arrows_listed,
    cell_sign,
    half_cells,
    halves,
    row_ends,
)

WIDTH = 354
"""The width in pixels that a phone's mail program has for a table."""
SMALLEST, LARGEST = 20, 34
"""The smallest and largest cells in pixels; the smallest are for boards wider than any phone."""
SMALLEST_FONT = 12
"""The smallest font in pixels."""

_FRAME = 3
"""Pixels around the content of a cell: a frame with a gap in it, or as much of the ground."""
_TWO_LINES = 2 * (SMALLEST_FONT + 1) + 2 * _FRAME + 1
_FRAMES = {
    MARK: "border:2px solid #c16;padding:1px",
    START: "border:2px dashed #0b3d91;padding:1px",
    ENDS["move"]: "border:2px solid #0b3d91;padding:1px",
    ENDS["hit"]: "border:3px double #a1121a",
}
_PAPER = "#fff"
"""The colour between a frame and its content, so that the frame stands out on every ground."""
_LABEL = "font-weight:normal;font-size:12px;color:#767676"
_LINK = "display:block;color:inherit"
_SPOT = "·"
_BLANK = "\u00a0"
_HAIR = "\u200a"
"""A very thin space after each single letter: spam filters count elements that contain nothing but a letter."""
_ROW_END = "\u200c"
"""A sign without width after each row: without it, spam filters take rows of letters for a Bitcoin address."""
_NO_LINKS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class _Size:
    """The size of a cell with the gap beside it, in pixels; `span` is its number of table columns."""

    width: int
    height: int
    span: int

    @property
    def font(self) -> int:
        """The font size of a text with one letter."""
        return max(SMALLEST_FONT, min(self.width, self.height) * 6 // 10 - 1)

    @property
    def room(self) -> tuple[int, int]:
        """The width and the height within a frame."""
        return self.width - 2 * _FRAME - 1, self.height - 2 * _FRAME - 1


def html_board(diagram: Diagram, links: Mapping[str, str] = _NO_LINKS) -> str:
    """Draw the picture as one table, the dice, and a paragraph with the legend and the captions; safe to
    insert.

    `links` maps names of places to addresses: the content of such a place links there, underlined; an empty one
    shows a spot.

    Every cell has its own colours and shows its text, so that it says the same when colours are inverted or
    corners are not round. A frame surrounds cells that the turn or an arrow touches: broken where arrows start,
    double where something is hit. The table has a column of labels on each side, and between them one column
    for each cell, or in hexagonal pictures one for each half cell, so that rows can be shifted. Up to 15 cells
    fit a phone.
    """
    columns = half_cells(diagram) * (1 + diagram.hexagonal) // 2
    margin = 6 + 7 * max((len(label) for row in diagram.rows for label in row_ends(diagram, row)), default=0)
    size = _size(diagram, columns, margin)
    signs = arrow_signs(diagram)
    rows = [_row(diagram, row, signs, size, columns, links) for row in diagram.rows]
    if diagram.files:
        rows = [_files(diagram, "th", ' scope="col"'), *rows, _files(diagram, "td", "")]
    edge, column = f'<td width="{margin}"></td>', f'<td width="{size.width // size.span - 1}"></td>'
    words = "<br>".join([escape(line) for line in [*_legend(diagram), *diagram.signs, *diagram.captions]])
    below = f'<p style="font:14px/20px Arial,sans-serif">{words}</p>' if words else ""
    return (
        '<table aria-label="Board" cellspacing="1" cellpadding="0" '
        f'width="{columns * size.width // size.span + 2 * margin + 3}" '
        f'style="table-layout:fixed;font:bold {size.font}px/{size.room[1]}px Arial,sans-serif;'
        'mso-line-height-rule:exactly;text-align:center;white-space:nowrap">'
        f'<tr height="1" style="line-height:1px">{edge}{column * columns}{edge}</tr>{"".join(rows)}</table>'
        f"{html_dice([die.number for die in diagram.dice if not die.state])}{below}"
    )


def link_sign(diagram: Diagram, links: Iterable[str]) -> str:
    """Return the look of linked places in words: "an underlined letter" if all of them have pieces."""
    texts = {cell.name: cell.text for row in diagram.rows for cell in row.cells}
    signs = dict.fromkeys("an underlined letter" if texts.get(name) else "a dot" for name in links)
    return " or ".join(sorted(signs))


def _size(diagram: Diagram, columns: int, margin: int) -> _Size:
    """Return the largest size that fits a phone; higher than wide if a text needs two lines."""
    span = 1 + diagram.hexagonal
    width = max(SMALLEST, min(LARGEST, span * (WIDTH - 2 * margin) // max(columns, 1))) // 2 * 2
    longest = max((len(cell.text) for row in diagram.rows for cell in row.cells if cell.ground), default=0)
    return _Size(width, max(width, _TWO_LINES if longest > 2 else 0), span)


def _legend(diagram: Diagram) -> list[str]:
    """Return sentences that explain the frames and list the arrows, for a picture that cannot draw lines."""
    lines = []
    if any(cell.mark for row in diagram.rows for cell in row.cells):
        lines.append("Framed: changed this turn.")
    for sort, title in TITLES.items():
        if listed := arrows_listed(diagram, sort, VERBS[sort]):
            frame = "a solid one" if sort == "move" else "a double one"
            lines.append(f"{title}, from a broken frame to {frame}: {listed}.")
    return lines


def _files(diagram: Diagram, tag: str, scope: str) -> str:
    """Return the labels of the columns; only those above are header cells, as a cell needs just one."""
    names = "".join([f'<{tag}{scope} style="{_LABEL}">{_escaped(name)}</{tag}>' for name in diagram.files])
    return f"<tr><td></td>{names}<td></td></tr>"


def _row(
    diagram: Diagram, row: Row, signs: dict[str, str], size: _Size, columns: int, links: Mapping[str, str]
) -> str:
    left, right = row_ends(diagram, row)
    free = row.shift * size.span // 2
    cells = [_drawn(cell, cell_sign(cell, signs), size, links.get(cell.name, "")) for cell in row.cells]
    rest = columns - free - size.span * len(cells)
    ends = _end(left, free, "right", head=True), _end(right, rest, "left", head=False)
    return f'<tr height="{size.height - 1}">{ends[0]}{"".join(cells)}{ends[1]}</tr>'


def _end(label: str, free: int, align: str, *, head: bool) -> str:
    """Return a label directly next to its row, over the columns that the row leaves free."""
    tag, scope = ("th", ' scope="row"') if head and label else ("td", "")
    span = f' colspan="{1 + free}"' if free else ""
    style = f' style="{_LABEL};padding:0 2px;text-align:{align}"' if label else ""
    return f"<{tag}{scope}{span}{style}>{_escaped(label)}{'' if head else _ROW_END}</{tag}>"


def _drawn(cell: Cell, sign: str, size: _Size, link: str) -> str:
    """Return a cell, with a link as large as its content."""
    opening, content, closing = _cell(cell.text, cell.ground, cell.ink, sign, size)
    if link:
        name, style = escape(cell.name), _LINK if content else f"{_LINK};text-decoration:none"
        content = f'<a href="{escape(link)}" aria-label="{name}" style="{style}">{content or _SPOT}</a>'
    return f"{opening}{content or _BLANK}{closing}"


@lru_cache(maxsize=4096)
def _cell(text: str, ground: Ground | None, ink: Ink | None, sign: str, size: _Size) -> tuple[str, str, str]:
    """Return the tags around the content of a cell, and the content."""
    cell = f'<td colspan="{size.span}"' if size.span > 1 else "<td"
    if not ground:
        return f'{cell} style="{_LABEL}">', _escaped(text), "</td>"
    if not text and not ground.fill:
        text = _SPOT
    round_off = "border-radius:50%" if ground.shape == "ring" else ""
    framed = sign != PLAIN
    content = _piece(text, ink, size, "" if framed else f"margin:{_FRAME}px")
    colour = "" if ink else f"color:{ground.text}"
    fill = f"background:{ground.fill or _PAPER}"
    if not framed:
        attribute = f' bgcolor="{ground.fill}"' if ground.fill else ""
        # Spam filters do not read the attribute, and would take light letters for hidden ones.
        behind = fill if ground.fill and not ink else ""
        return f"{cell}{attribute}{_style(behind, colour, round_off)}>", content, "</td>"
    opening = f'{cell} bgcolor="{_PAPER}"{_style(_FRAMES[sign], round_off)}>'
    return f"{opening}<div{_style(fill, colour, round_off)}>", content, "</div></td>"


def _escaped(text: str) -> str:
    """Return a text for HTML, a single letter with `_HAIR`."""
    return text + _HAIR if len(text) == 1 and text.isalpha() else escape(text)


def _style(*declarations: str) -> str:
    """Return the style attribute, "" if nothing is declared."""
    given = ";".join(filter(None, declarations))
    return f' style="{given}"' if given else ""


def _piece(text: str, ink: Ink | None, size: _Size, margin: str) -> str:
    """Return the content of a cell: on one line, or on two if it has more than two characters."""
    marbles = ink.marbles if ink else {}
    width, height = size.room
    lines = halves(text) if len(text) > 2 else (text,)
    spare = max(0, (width - 15) // 4)
    drawn = "<br>".join([_marbles(line, marbles, spare) if marbles else _escaped(line) for line in lines])
    look = [f"font-size:{_font(text, size, crowded=bool(marbles))}px" if len(text) > 1 else ""]
    if len(lines) > 1:
        look.append(f"line-height:{height // 2}px")
    if ink and not marbles:
        corner = "50%" if ink.shape == "disc" else "4px"
        look = [margin, f"border-radius:{corner};background:{ink.fill};color:{ink.text}", *look]
    style = _style(*look)
    return f"<div{style}>{drawn}</div>" if style else drawn


def _font(text: str, size: _Size, *, crowded: bool) -> int:
    """Return the font size in pixels for a text of several characters."""
    if crowded or len(text) > 2:
        return SMALLEST_FONT
    return max(SMALLEST_FONT, min(size.font, size.room[0] * 8 // 10))


def _marbles(letters: str, inks: Mapping[str, Ink], spare: int) -> str:
    """Draw marbles side by side, each as much wider than its letter as there is room to spare."""
    style = f"border-radius:50%;padding:0 {spare}px"
    return "".join(
        [
            f'<b style="{style};background:{inks[letter].fill};color:{inks[letter].text}">{letter}{_HAIR}</b>'
            for letter in letters
        ]
    )

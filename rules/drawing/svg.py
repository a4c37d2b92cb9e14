"""A board as SVG for web pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from rules.drawing.diagram import Cell, Diagram, Row
from rules.drawing.shapes import HALF, RADIUS, arrow, hint, mark, piece, place
from rules.drawing.signs import half_cells, row_ends

FOCUS_STYLE = (
    ".board a{outline:none}"
    ".board a:hover .focus{stroke:#c16;stroke-opacity:.6}"
    ".board a:focus-visible .focus{stroke:#c16;stroke-opacity:1}"
)
"""The whole content of the style element, constant, so that a content security policy can name its hash."""


@dataclass(frozen=True)
class _Frame:
    """Where things are in a picture: the middle of the first row, the space between rows, the left margin."""

    top: int
    step: float
    margin: int
    width: int
    height: int

    def rows(self, diagram: Diagram) -> Iterator[tuple[Row, float, float]]:
        """Each row with the middle of its first cell."""
        for line, row in enumerate(diagram.rows):
            yield row, self.margin + (row.shift + 1) * HALF, self.top + line * self.step


def svg_board(diagram: Diagram, *, links: Mapping[str, str] | None = None) -> str:
    """The picture as one `<svg>` element as wide as its container; safe to insert as it is.

    Each place has a `<title>` that names it and what stands there. `links` maps names of cells to addresses:
    those cells are links, shown with a dot, and with an outline when pointed at or focused. Labels take the
    text colour of the page. The captions are not in the picture.
    """
    frame = _frame(diagram)
    parts: list[str] = []
    for row, x, y in frame.rows(diagram):
        parts += _labels(diagram, frame, row, x, y)
        for column, cell in enumerate(row.cells):
            address = (links or {}).get(cell.name) if cell.name else None
            parts.append(_cell(cell, x + 2 * HALF * column, y, diagram.hexagonal, address))
    for column, name in enumerate(diagram.files):
        x = frame.margin + HALF + 2 * HALF * column
        parts += [_label(name, x, 14), _label(name, x, frame.height - 14)]
    centres = _centres(diagram, frame) if diagram.arrows else {}
    for way in diagram.arrows:
        if way.start in centres and way.end in centres:
            parts.append(arrow(way.sort, centres[way.start], centres[way.end]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {frame.width} {frame.height}" '
        'width="100%" role="group" aria-label="Board" font-family="Arial,Helvetica,sans-serif" '
        f'font-weight="bold" text-anchor="middle"><style>{FOCUS_STYLE}</style>{"".join(parts)}</svg>'
    )


def _frame(diagram: Diagram) -> _Frame:
    step = 1.5 * RADIUS if diagram.hexagonal else 2 * HALF
    top = HALF + (28 if diagram.files else 8)
    longest = max((len(label) for row in diagram.rows for label in row_ends(diagram, row)), default=0)
    margin = 12 + 9 * longest
    width = half_cells(diagram) * HALF + 2 * margin
    return _Frame(top, step, margin, width, round((len(diagram.rows) - 1) * step + 2 * top))


def _centres(diagram: Diagram, frame: _Frame) -> dict[str, tuple[float, float]]:
    """The middle of each named cell; of cells that share a name, the first."""
    centres: dict[str, tuple[float, float]] = {}
    for row, x, y in frame.rows(diagram):
        for column, cell in enumerate(row.cells):
            centres.setdefault(cell.name, (x + 2 * HALF * column, y))
    centres.pop("", None)
    return centres


def _labels(diagram: Diagram, frame: _Frame, row: Row, x: float, y: float) -> list[str]:
    left, right = row_ends(diagram, row)
    end = x + (2 * len(row.cells) - 1) * HALF if diagram.hexagonal else frame.width - frame.margin
    return [_label(left, x - HALF - 6, y, "end"), _label(right, end + 6, y, "start")]


def _label(text: str, x: float, y: float, anchor: str = "middle") -> str:
    if not text:
        return ""
    return (
        f'<text x="{x:g}" y="{y:g}" dy=".35em" text-anchor="{anchor}" font-size="15" font-weight="normal" '
        f'fill="currentColor">{escape(text)}</text>'
    )


def _cell(cell: Cell, x: float, y: float, hexagonal: bool, address: str | None) -> str:
    if not cell.ground:
        return _label(cell.text, x, y)
    spoken = escape(_spoken(cell))
    drawn = place(cell.ground, hexagonal) + piece(cell.text, cell.ground, cell.ink)
    if cell.mark:
        drawn += mark(cell.ground, hexagonal)
    if address is not None:
        drawn += hint(cell.ground, hexagonal, not cell.text)
    group = f'<g transform="translate({x:g} {y:g})"><title>{spoken}</title>{drawn}</g>'
    if address is None:
        return group
    return f'<a href="{escape(address)}" aria-label="{spoken}">{group}</a>'


def _spoken(cell: Cell) -> str:
    """A cell in words: "c4: b, black"."""
    look = cell.ink or cell.ground
    label = look.label if look else ""
    what = ", ".join(part for part in (cell.text, label) if part) or "empty"
    named = f"{cell.name}: {what}" if cell.name else what
    return f"{named} (touched this turn)" if cell.mark else named

"""A board as SVG for web pages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from rules.drawing.diagram import Cell, Diagram, Row
from rules.drawing.shapes import HALF, RADIUS, arrow, focus, light, mark, piece, place
from rules.drawing.signs import half_cells, row_ends

FOCUS_STYLE = (
    ".board .door{outline:none;cursor:pointer}"
    ".board .door:hover .focus{stroke:#c16;stroke-opacity:.6}"
    ".board .door:focus-visible .focus{stroke:#c16;stroke-opacity:1}"
)
"""The whole content of the style element, constant, so that a content security policy can name its hash."""


_SCALE = 1.36
"""Pixels for each unit of the picture, where there is room: the largest boards fill a column of a page."""
_LEAST_LETTERS = 15
_LETTERS_ACROSS = 27
"""How many labels of the largest size would stand side by side over the board."""
_EDGE = 5
"""Around a label."""


@dataclass(frozen=True)
class _Frame:
    """Where things are in a picture: the middle of the first row, the space between rows, the left margin.

    `letters` is the size of the labels: as large on a wide board as on a narrow one once both fill a telephone.
    """

    top: int
    step: float
    margin: int
    width: int
    height: int
    letters: int

    def rows(self, diagram: Diagram) -> Iterator[tuple[Row, float, float]]:
        """Each row with the middle of its first cell."""
        for line, row in enumerate(diagram.rows):
            yield row, self.margin + (row.shift + 1) * HALF, self.top + line * self.step


@dataclass(frozen=True)
class Door:
    """A place of a picture that can be picked: what stands for it, what it means in words, where it leads.

    Without an address only a script can act on it.
    """

    pick: str
    label: str
    address: str = ""


@dataclass(frozen=True)
class _Spot:
    """A cell and its middle; `letters` is the size of a text on the bare page."""

    cell: Cell
    x: float
    y: float
    hexagonal: bool
    letters: int


def svg_board(diagram: Diagram, *, doors: Mapping[str, Door] | None = None, marks: Collection[str] = ()) -> str:
    """The picture as one `<svg>` element, safe to insert as it is; the page may make it smaller.

    Each place has a `<title>` that names it and what stands there. `doors` are places that can be picked, by
    name: one element each, for all cells of that name, lit up, and with an outline when pointed at or focused.
    `marks` are names of places that are marked besides those of the diagram. Labels take the text colour of the
    page. The captions are not in the picture.
    """
    frame = _frame(diagram)
    parts: list[str] = []
    doors = doors or {}
    named: dict[str, list[_Spot]] = {name: [] for name in (*doors, *marks)}
    for row, x, y in frame.rows(diagram):
        parts += _labels(diagram, frame, row, x, y)
        for column, cell in enumerate(row.cells):
            spot = _Spot(cell, x + 2 * HALF * column, y, diagram.hexagonal, frame.letters)
            if cell.name in named:
                named[cell.name].append(spot)
            else:
                parts.append(_drawn(spot))
    for name, spots in named.items():
        if spots:
            parts.append(_place(doors.get(name), spots, frame.height / 2, marked=name in marks))
    for column, name in enumerate(diagram.files):
        x = frame.margin + HALF + 2 * HALF * column
        for y in (_EDGE + frame.letters / 2, frame.height - _EDGE - frame.letters / 2):
            parts.append(_label(name, x, y, frame.letters))
    centres = _centres(diagram, frame) if diagram.arrows else {}
    for way in diagram.arrows:
        if way.start in centres and way.end in centres:
            parts.append(arrow(way.sort, centres[way.start], centres[way.end]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {frame.width} {frame.height}" '
        f'width="{round(frame.width * _SCALE)}" role="group" aria-label="Board" font-weight="bold" '
        'font-family="Arial,Helvetica,sans-serif" text-anchor="middle">'
        f"<style>{FOCUS_STYLE}</style>{''.join(parts)}</svg>"
    )


def _frame(diagram: Diagram) -> _Frame:
    step = 1.5 * RADIUS if diagram.hexagonal else 2 * HALF
    cells = half_cells(diagram) * HALF
    letters = max(_LEAST_LETTERS, round(cells / _LETTERS_ACROSS))
    top = HALF + (letters + 2 * _EDGE if diagram.files else 2 * _EDGE)
    longest = max((len(label) for row in diagram.rows for label in row_ends(diagram, row)), default=0)
    margin = 2 * _EDGE + round(0.6 * letters * longest)
    height = round((len(diagram.rows) - 1) * step + 2 * top)
    return _Frame(top, step, margin, cells + 2 * margin, height, letters)


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
    return [
        _label(left, x - HALF - _EDGE, y, frame.letters, "end"),
        _label(right, end + _EDGE, y, frame.letters, "start"),
    ]


def _label(text: str, x: float, y: float, size: int, anchor: str = "middle") -> str:
    if not text:
        return ""
    return (
        f'<text x="{x:g}" y="{y:g}" dy=".35em" text-anchor="{anchor}" font-size="{size}" font-weight="normal" '
        f'fill="currentColor">{escape(text)}</text>'
    )


def _place(door: Door | None, spots: Sequence[_Spot], middle: float, *, marked: bool) -> str:
    """All cells of a place; one of them is lit up if there is a door, and marked."""
    face = _face(spots, middle)
    cells = [replace(spot.cell, mark=spot.cell.mark or (marked and spot is face)) for spot in spots]
    drawn = "".join(
        _drawn(replace(spot, cell=cell), framed=door is not None, lit=door is not None and spot is face)
        for spot, cell in zip(spots, cells, strict=True)
    )
    if door is None:
        return drawn
    said = f'class="door" data-pick="{escape(door.pick)}" aria-label="{escape(door.label)}"'
    return f'<a href="{escape(door.address)}" {said}>{drawn}</a>' if door.address else f"<g {said}>{drawn}</g>"


def _face(spots: Sequence[_Spot], middle: float) -> _Spot:
    """The cell that stands for a place: of a stack the innermost disc, of an empty point that at the edge."""
    pieces = [spot for spot in spots if spot.cell.text]
    if pieces:
        return min(pieces, key=lambda spot: abs(spot.y - middle))
    return max(spots, key=lambda spot: abs(spot.y - middle))


def _drawn(spot: _Spot, *, framed: bool = False, lit: bool = False) -> str:
    """A cell; framed when pointed at or focused, lit up if it can be picked."""
    cell = spot.cell
    if not cell.ground:
        return _label(cell.text, spot.x, spot.y, spot.letters)
    drawn = place(cell.ground, spot.hexagonal) + piece(cell.text, cell.ground, cell.ink)
    if cell.mark:
        drawn += mark(cell.ground, spot.hexagonal)
    if framed:
        drawn += focus(cell.ground, spot.hexagonal)
    if lit:
        drawn += light(cell.ground, spot.hexagonal, not cell.text)
    said = escape(_spoken(cell))
    return f'<g transform="translate({spot.x:g} {spot.y:g})"><title>{said}</title>{drawn}</g>'


def _spoken(cell: Cell) -> str:
    """A cell in words: "c4: b, black"."""
    look = cell.ink or cell.ground
    label = look.label if look else ""
    what = ", ".join(part for part in (cell.text, label) if part) or "empty"
    named = f"{cell.name}: {what}" if cell.name else what
    return f"{named} (touched this turn)" if cell.mark else named

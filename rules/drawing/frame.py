"""The measures of an SVG picture, and the labels around its board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from rules.drawing.diagram import ON_LIGHT, Diagram, Row
from rules.drawing.markers import half_cells, row_ends
from rules.drawing.shapes import HALF, RADIUS
from rules.drawing.surface import PAD

_LEAST_LETTERS = 15
_LETTERS_ACROSS = 27
"""The number of labels of the largest size that fit side by side over the board."""
_PAGE = "currentColor"
"""The colour of text on the page."""
_EDGE = 5
"""The margin around a label."""


@dataclass(frozen=True)
class Frame:
    """The measures of a picture: the middle of the first row, the space between rows, the left margin.

    `letters` is the size of the labels, chosen so that it is the same on wide and narrow boards once both fill
    a phone.
    """

    top: int
    step: float
    margin: int
    width: int
    height: int
    letters: int

    def rows(self, diagram: Diagram) -> Iterator[tuple[Row, float, float]]:
        """Yield each row with the middle of its first cell."""
        for line, row in enumerate(diagram.rows):
            yield row, self.margin + (row.shift + 1) * HALF, self.top + line * self.step


def frame_of(diagram: Diagram) -> Frame:
    """Return the measures of the picture of a diagram."""
    step = 1.5 * RADIUS if diagram.hexagonal else 2 * HALF
    cells = half_cells(diagram) * HALF
    letters = max(_LEAST_LETTERS, round(cells / _LETTERS_ACROSS))
    pad = PAD if diagram.surface else 0
    top = HALF + pad + (letters + 2 * _EDGE if diagram.files else 2 * _EDGE)
    longest = max((len(label) for row in diagram.rows for label in row_ends(diagram, row)), default=0)
    margin = 2 * _EDGE + pad + round(0.6 * letters * longest)
    height = round((len(diagram.rows) - 1) * step + 2 * top)
    return Frame(top, step, margin, cells + 2 * margin, height, letters)


def labels(diagram: Diagram, frame: Frame) -> str:
    """Draw the text beside, above and below the board, and on its surface or the bare page within it."""
    down = 0.35 * frame.letters
    away = _EDGE + (PAD if diagram.surface else 0)
    sides: dict[str, list[str]] = {"end": [], "start": [], "middle": []}
    within: list[str] = []
    for row, x, y in frame.rows(diagram):
        left, right = row_ends(diagram, row)
        end = x + (2 * len(row.cells) - 1) * HALF if diagram.hexagonal else frame.width - frame.margin
        sides["end"].append(_label(left, x - HALF - away, y + down))
        # The label of a row of hexagons with one named place is that name, and needs no repetition.
        if not diagram.hexagonal or len([cell for cell in row.cells if cell.name]) != 1:
            sides["start"].append(_label(right, end + away, y + down))
        bare = ((2 * HALF * column, cell.text) for column, cell in enumerate(row.cells) if not cell.ground)
        within += [_label(text, x + along, y + down) for along, text in bare]
    columns = [frame.margin + HALF + 2 * HALF * column for column in range(len(diagram.files))]
    for y in (_EDGE + frame.letters / 2, frame.height - _EDGE - frame.letters / 2):
        sides["middle"].append(_file_labels(diagram.files, columns, y + down))
    # Surfaces are light, even on a dark page.
    groups = [(side, _PAGE, texts) for side, texts in sides.items()]
    groups.append(("middle", ON_LIGHT if diagram.surface else _PAGE, within))
    look = f'font-size="{frame.letters}" font-weight="normal"'
    return "".join(
        f'<g class="labels" text-anchor="{side}" {look} fill="{colour}">{text}</g>'
        for side, colour, texts in groups
        if (text := "".join(texts))
    )


def _file_labels(names: Sequence[str], columns: Sequence[float], y: float) -> str:
    """Draw the names of the files; if each is one letter, as one text with a place for each letter."""
    if names and all(len(name) == 1 for name in names):
        places = " ".join(map(short, columns))
        return f'<text x="{places}" y="{short(y)}">{escape("".join(names))}</text>'
    return "".join([_label(name, x, y) for name, x in zip(names, columns, strict=True)])


def _label(text: str, x: float, y: float) -> str:
    """Draw a text with its base at this point."""
    return f'<text x="{short(x)}" y="{short(y)}">{escape(text)}</text>' if text else ""


@lru_cache(maxsize=4096)  # the places of a board share few coordinates
def short(place: float) -> str:
    """Return a coordinate, rounded to a tenth."""
    return f"{round(place, 1) + 0.0:g}"  # 0.0 makes -0.0 positive

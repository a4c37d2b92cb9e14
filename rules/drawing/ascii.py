"""A board in ASCII characters, for a fixed-width font."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from textwrap import wrap

from rules.drawing.cropping import cut_columns
from rules.drawing.diagram import Diagram, Row
from rules.drawing.markers import arrow_signs, cell_sign, cell_text, half_cells, halves, legend, row_ends

WIDTH = 72

_TYPEWRITER = str.maketrans({"–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "×": "x", "→": ">"})


# The reports to all players of a game usually contain the same board.
@lru_cache(maxsize=8)
def ascii_board(diagram: Diagram) -> str:
    """Draw the picture in lines of at most 72 ASCII characters, without a line break at the end.

    Every cell shows its text, or the sign of its ground if it is empty: `.`, or `o` for a ring. `[ ]` surrounds
    cells that the turn changed, `( )` the starts of arrows, `> <` the ends of moves, `* *` the ends of
    others; a legend and the list of arrows follow the board, then the captions. Cells of a board too wide for
    their texts are two lines high, and one that is still too wide is drawn in parts, from left to right. Bars
    separate the cells from the numbers of the rows: without them, spam filters take a board of single letters
    for a Bitcoin address.
    """
    margin = max((len(label) for row in diagram.rows for label in row_ends(diagram, row)), default=0)
    room = WIDTH - 2 * margin - 2
    pitch, height = _cell_size(diagram, room)
    signs = arrow_signs(diagram)
    lines: list[str] = []
    for part in _parts(diagram, 2 * room // pitch):
        lines += ["", *_board(part, signs, pitch, height, margin)]
    for words in [*legend(diagram), *diagram.signs, *diagram.captions]:
        lines += wrap(_ascii(words), WIDTH)
    return "\n".join(lines[1:])


def _cell_size(diagram: Diagram, room: int) -> tuple[int, int]:
    """Return the columns and lines of a cell: one line if the board then fits into `room` columns, otherwise
    two.
    """
    texts = [len(cell_text(cell)) - (not cell.ground) for row in diagram.rows for cell in row.cells]
    longest = max([1, *texts, *(len(name) - 1 for name in diagram.files)])
    pitch = _pitch(longest, diagram.hexagonal)
    if half_cells(diagram) * pitch <= 2 * room:
        return pitch, 1
    return _pitch((longest + 1) // 2, diagram.hexagonal), 2


def _pitch(longest: int, hexagonal: bool) -> int:
    """Return the width of a cell: its text with a sign on each side, even where rows are shifted by
    half cells.
    """
    return longest + 2 + (longest % 2 if hexagonal else 0)


def _parts(diagram: Diagram, room: int) -> Iterator[Diagram]:
    """Yield the parts of the board, each at most `room` half cells wide."""
    width = half_cells(diagram)
    if width <= room:
        yield diagram
        return
    step = (room - 1) // 2 * 2
    for first in range(0, width, step):
        yield cut_columns(diagram, first, first + step)


def _board(diagram: Diagram, signs: dict[str, str], pitch: int, height: int, margin: int) -> Iterator[str]:
    files = " " * (margin + 1) + "".join([name.center(pitch) for name in diagram.files]).rstrip()
    if diagram.files:
        yield files
    for row in diagram.rows:
        texts = [(cell_text(cell), cell_sign(cell, signs)) for cell in row.cells]
        if height == 1 or all(len(text) < pitch - 1 for text, _ in texts):
            yield _labelled(diagram, row, [f"{sign[0]}{text}{sign[1]}" for text, sign in texts], pitch, margin)
            continue
        pairs = [_broken(text, sign, pitch - 2) for text, sign in texts]
        yield _labelled(diagram, row, [first for first, _ in pairs], pitch, margin)
        below = "".join([second.center(pitch) for _, second in pairs])
        yield " " * (margin + 1 + row.shift * pitch // 2) + below.rstrip()
    if diagram.files:
        yield files


def _broken(text: str, sign: str, room: int) -> tuple[str, str]:
    """Return a text with its signs on two lines, if it does not fit on one."""
    if len(text) <= room:
        return f"{sign[0]}{text}{sign[1]}", ""
    first, second = halves(text)
    return f"{sign[0]}{first} ", f" {second:<{len(first)}}{sign[1]}"


def _labelled(diagram: Diagram, row: Row, cells: list[str], pitch: int, margin: int) -> str:
    """Return one line: hexagonal rows have their labels next to them, others have labels aligned with one
    another.
    """
    left, right = row_ends(diagram, row)
    gap = " " * (row.shift * pitch // 2)
    line = "".join([cell.center(pitch) for cell in cells])
    if diagram.hexagonal:
        return f"{gap}{left:>{margin}} {line} {right}".rstrip()
    rest = " " * (half_cells(diagram) * pitch // 2 - len(gap) - len(line))
    bar = "|" if diagram.files else " "
    return f"{left:>{margin}}{bar}{gap}{line}{rest}{bar}{right}".rstrip()


def _ascii(words: str) -> str:
    """Return the words in ASCII: typewriter signs, letters without accents, `?` for anything else."""
    if words.isascii():
        return words
    plain = unicodedata.normalize("NFKD", words.translate(_TYPEWRITER))
    return (
        "".join(letter for letter in plain if not unicodedata.combining(letter))
        .encode("ascii", "replace")
        .decode()
    )

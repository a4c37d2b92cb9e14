"""Parts of pictures: for boards too wide for a line, or of which only one corner is interesting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.drawing.diagram import Diagram, Row


def cut_row(row: Row, first: int, end: int) -> Row:
    """Return the cells of a row whose left edge is from `first` to `end` - 1, counted in half cells."""
    skipped = max(0, (first - row.shift + 1) // 2)
    kept = row.cells[skipped : max(0, (end - row.shift + 1) // 2)]
    return Row(row.label, kept, max(0, row.shift + 2 * skipped - first))


def cut_columns(diagram: Diagram, first: int, end: int) -> Diagram:
    """Return the part of a picture from half cell `first` to before `end`, counted from the left."""
    rows = (cut_row(row, first, end) for row in diagram.rows)
    files = diagram.files[first // 2 : (end + 1) // 2]
    return replace(diagram, rows=tuple(row for row in rows if row.cells), files=files)


def corner(diagram: Diagram, rows: Sequence[int], columns: Sequence[int]) -> Diagram:
    """Return the part of a picture in some rows and columns, without dice.

    `rows` and `columns` are each the first number, and the one after the last.
    """
    kept = replace(diagram, rows=diagram.rows[rows[0] : rows[1]], dice=())
    return cut_columns(kept, 2 * columns[0], 2 * columns[1])

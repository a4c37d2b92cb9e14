"""Shared parts of pictures: signs around marked cells, labels of rows, words under the board."""

from __future__ import annotations

from rules.drawing.diagram import Cell, Diagram, Row

PLAIN = "  "
MARK = "[]"
START = "()"
ENDS = {"move": "><", "hit": "**", "destroy": "**"}
TITLES = {"move": "Moves", "hit": "Hits", "destroy": "Destructions"}
VERBS = {"move": "to", "hit": "hits", "destroy": "destroys"}
"""For each sort of arrow: the signs at its end, the title of its list, and the word between its ends."""


def arrow_signs(diagram: Diagram) -> dict[str, str]:
    """Return the signs around each cell that an arrow touches, by the cell's name: "( )" where it starts.

    Where arrows meet, the sign of an end counts.
    """
    signs = {arrow.start: START for arrow in diagram.arrows}
    signs.update((arrow.end, ENDS[arrow.sort]) for arrow in diagram.arrows)
    signs.pop("", None)
    return signs


def cell_sign(cell: Cell, arrows: dict[str, str]) -> str:
    """Return the two signs left and right of a cell, mostly blanks; `arrows` comes from `arrow_signs`."""
    return arrows.get(cell.name) or (MARK if cell.mark else PLAIN)


def cell_text(cell: Cell) -> str:
    """Return the text in a cell, or the sign of an empty place; "" off the board."""
    if cell.text or not cell.ground:
        return cell.text
    return cell.ground.sign


def halves(text: str) -> tuple[str, str]:
    """Return a text in two parts for a narrow cell, the longer one first: for example "brr" as "br" and "r"."""
    middle = (len(text) + 1) // 2
    return text[:middle], text[middle:]


def row_ends(diagram: Diagram, row: Row) -> tuple[str, str]:
    """Return the labels left and right of a row."""
    if diagram.hexagonal:
        names = [cell.name for cell in row.cells if cell.name]
        if names:
            return names[0], names[-1]
    return row.label, row.label


def half_cells(diagram: Diagram) -> int:
    """Return the width of the picture in half cells, without labels."""
    return max((row.shift + 2 * len(row.cells) for row in diagram.rows), default=0)


def legend(diagram: Diagram) -> list[str]:
    """Return sentences that explain the signs and list the arrows, for a picture that cannot draw lines."""
    lines = []
    if any(cell.mark for row in diagram.rows for cell in row.cells):
        lines.append("[ ]: changed this turn.")
    for sort, title in TITLES.items():
        if listed := arrows_listed(diagram, sort, ENDS[sort][0]):
            lines.append(f"{title}, from ( ) to {' '.join(ENDS[sort])}: {listed}.")
    return lines


def arrows_listed(diagram: Diagram, sort: str, between: str) -> str:
    """Return the arrows of a sort, each with a word between its ends: "c3 to d4, e5 to e6"."""
    return ", ".join([f"{arrow.start} {between} {arrow.end}" for arrow in diagram.arrows if arrow.sort == sort])

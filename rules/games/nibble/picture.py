"""The picture of a position of Nibble."""

from __future__ import annotations

from collections.abc import Set

from rules.drawing.diagram import Cell, Diagram, Row
from rules.games.nibble.board import board_named
from rules.games.nibble.notation import colour_name
from rules.games.nibble.position import Position

COLOURS_IN_A_LINE = 5


def draw(position: Position, touched: Set[str], captions: tuple[str, ...]) -> Diagram:
    """The blocks that are left, each as its letter, with marks on the squares in `touched`."""
    board = board_named(position.board)
    letters = position.letters()
    longest = max(len(row) for row in board.rows)
    rows = []
    for names in board.rows:
        label = names[0][0] if board.hexagonal else names[0][1:]
        cells = tuple(_cell(name, letters.get(name), name in touched) for name in names)
        rows.append(Row(label, cells, shift=longest - len(names)))
    files = () if board.hexagonal else tuple(name[0] for name in board.rows[0])
    return Diagram(tuple(rows), files, (*_counts(position), *captions), hexagonal=board.hexagonal)


def _cell(name: str, letter: str | None, touched: bool) -> Cell:
    if letter:
        return Cell(name, letter, ground=letter, mark=touched)
    # A mark shows only on a ground, so a block just taken leaves one for a turn.
    return Cell(name, ".", ground="gone" if touched else "", mark=touched)


def _counts(position: Position) -> list[str]:
    """The table of the blocks taken: "A red 3:0" says that the first player has three and the second none."""
    entries = [
        f"{colour_name(colour)} {first}:{second}"
        for colour, (first, second) in enumerate(zip(*position.taken, strict=True))
    ]
    starts = range(0, len(entries), COLOURS_IN_A_LINE)
    return ["Taken, First:Second", *(", ".join(entries[i : i + COLOURS_IN_A_LINE]) for i in starts)]

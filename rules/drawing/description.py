"""A board in sentences, for people who do not look at pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rules.drawing.diagram import Cell, Diagram
from rules.drawing.markers import arrows_listed

_NUMBER = re.compile(r"\d+")


def pieces_in_words(diagram: Diagram) -> list[str]:
    """What stands where, a sentence for each sort of piece: "Black (b): c4, d5."; each piece is named once."""
    places: dict[tuple[str, str], list[str]] = {}
    for row in diagram.rows:
        for cell in row.cells:
            if cell.name and cell.ground and cell.text:
                places.setdefault((cell.text, _called(cell)), []).append(cell.name)
    told = [f"{sort}: {', '.join(in_order(names))}." for (_, sort), names in sorted(places.items())]
    return told or ["The board is empty."]


def changes_in_words(diagram: Diagram) -> list[str]:
    """What the marks and arrows of a picture show, in sentences."""
    told = {"", *(end for arrow in diagram.arrows for end in (arrow.start, arrow.end))}
    touched = {cell.name for row in diagram.rows for cell in row.cells if cell.mark} - told
    listed = {
        "Touched": ", ".join(in_order(touched)),
        "Moves": arrows_listed(diagram, "move", "to"),
        "Strikes": arrows_listed(diagram, "hit", "strikes"),
    }
    return [f"{what}: {places}." for what, places in listed.items() if places]


def in_order(names: Iterable[str]) -> list[str]:
    """Names of places by letter, then by number: a2, a10, b1."""
    return sorted(names, key=lambda name: [_NUMBER.sub("", name), *map(int, _NUMBER.findall(name))])


def _called(cell: Cell) -> str:
    """The piece in a cell: "Black (b)", or its text alone where its look has no name."""
    look = cell.ink or cell.ground
    label = look.label if look else ""
    return f"{label[0].upper()}{label[1:]} ({cell.text})" if label else cell.text

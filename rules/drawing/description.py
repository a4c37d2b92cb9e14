"""A board in sentences, for people who cannot see pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from rules.drawing.diagram import Cell, Diagram
from rules.drawing.markers import TITLES, VERBS, arrows_listed

_NUMBER = re.compile(r"\d+")


def pieces_in_words(diagram: Diagram) -> list[str]:
    """Return sentences with the places of all pieces ("Black (b): c4, d5."), one for each sort."""
    places: dict[tuple[str, str], list[str]] = {}
    for row in diagram.rows:
        for cell in row.cells:
            if cell.name and cell.ground and cell.text:
                places.setdefault((cell.text, _called(cell)), []).append(cell.name)
    sentences = [f"{sort}: {', '.join(in_order(names))}." for (_, sort), names in sorted(places.items())]
    return sentences or ["The board is empty."]


def changes_in_words(diagram: Diagram) -> list[str]:
    """Return sentences that say which places the marks and arrows of a picture show."""
    ends = {"", *(end for arrow in diagram.arrows for end in (arrow.start, arrow.end))}
    touched = {cell.name for row in diagram.rows for cell in row.cells if cell.mark} - ends
    listed = {
        "Changed": ", ".join(in_order(touched)),
        **{title: arrows_listed(diagram, sort, VERBS[sort]) for sort, title in TITLES.items()},
    }
    return [f"{what}: {places}." for what, places in listed.items() if places]


def in_order(names: Iterable[str]) -> list[str]:
    """Return names of places, by letter and then by number: a2, a10, b1."""
    return sorted(names, key=_place_in_order)


@lru_cache(maxsize=4096)  # the boards share few names
def _place_in_order(name: str) -> tuple[str | int, ...]:
    return (_NUMBER.sub("", name), *map(int, _NUMBER.findall(name)))


def _called(cell: Cell) -> str:
    """Return the piece in a cell: "Black (b)", or only its text if its look has no name."""
    look = cell.ink or cell.ground
    label = look.label if look else ""
    return f"{label[0].upper()}{label[1:]} ({cell.text})" if label else cell.text

"""One description of a picture; `rules.drawing` draws it as ASCII, as an HTML table and as SVG.

A square board is one row for each rank, from the top. A hexagonal board has pointy tops and a `shift` for each
row. A board of another shape is a grid too: a backgammon-like board has a column for each point and five rows
for its discs in each half; the disc farthest from the edge carries the count when there are more ("15"), cells
of one point share its name, rows of cells without ground hold the numbers of the points, and cells named "hand"
and "off" stand where discs wait.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Cell:
    """One place of a picture.

    `name` is what moves call it, "" where there is no place to name. `text` is what stands there, at most four
    characters that tell everything: colour only repeats it; "" for an empty place. `ground` and `ink` are keys
    of `GROUNDS` and `INKS`, the look of the place and of the piece on it ("" for none). A cell without ground
    is not a place: its text, if any, is written on the bare page. `mark` says that the last turn, or the
    planned one, touched it.
    """

    name: str
    text: str = ""
    ground: str = ""
    ink: str = ""
    mark: bool = False


@dataclass(frozen=True)
class Row:
    """Cells from left to right, `shift` half cells in from the left edge, with a label on both sides.

    In hexagonal pictures the two labels are the names of the first and the last named cell instead, so that
    everybody sees how a row is counted.
    """

    label: str
    cells: tuple[Cell, ...]
    shift: int = 0


@dataclass(frozen=True)
class Arrow:
    """From one named place to another; `sort` is "move" (the piece goes there) or "hit" (it strikes there)."""

    start: str
    end: str
    sort: str = "move"


@dataclass(frozen=True)
class Diagram:
    """Rows from the top down; `files` are the labels under (and above) the columns, () for none.

    `hexagonal` pictures have rows shifted against one another by half cells. `captions` are lines under the
    board: scores, reserves, what the signs mean. Marks and arrows are explained by whoever draws them.
    """

    rows: tuple[Row, ...]
    files: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    hexagonal: bool = False


@dataclass(frozen=True)
class Ground:
    """The look of a place: its colour ("" for none), the colour of text on it, its name for people, its sign
    when it is empty."""

    fill: str
    text: str
    label: str
    sign: str = "."


@dataclass(frozen=True)
class Ink:
    """The look of a piece: colour, colour of the text on it, its name for people, its shape.

    `shape` is "disc", "badge" (a rounded square) or "marbles": one marble for each letter of the text.
    """

    fill: str
    text: str
    label: str
    shape: str = "disc"


_DARK: Final = "#222"
_LIGHT: Final = "#fff"

GROUNDS: Final[dict[str, Ground]] = {
    "light": Ground("#ecd9b0", _DARK, ""),
    "dark": Ground("#cfa76c", _DARK, ""),
    "tray": Ground("#dddbd5", _DARK, "", sign=" "),
    "x": Ground("#5a6b86", _LIGHT, "territory of X"),
    "o": Ground("#e7cf96", _DARK, "territory of O"),
    "gone": Ground("#b5d3e4", "#2f4d61", "nothing left"),
    "ring": Ground("#d8c9ae", _DARK, "ring", sign="o"),
    "free": Ground("", "#767676", "no ring"),
    "A": Ground("#cf3d38", _LIGHT, "red"),
    "B": Ground("#ee8a35", _DARK, "orange"),
    "C": Ground("#f3cf35", _DARK, "yellow"),
    "D": Ground("#acd33f", _DARK, "lime"),
    "E": Ground("#2f7d3c", _LIGHT, "green"),
    "F": Ground("#35b5ad", _DARK, "teal"),
    "G": Ground("#2f62c4", _LIGHT, "blue"),
    "H": Ground("#7c47b5", _LIGHT, "purple"),
    "I": Ground("#f09cc4", _DARK, "pink"),
    "J": Ground("#7d4e2b", _LIGHT, "brown"),
    "K": Ground("#a3a3a3", _DARK, "grey"),
    "L": Ground("#333", _LIGHT, "black"),
    "M": Ground("#f6f3ec", _DARK, "white"),
}
"""`light` and `dark`: squares and points of a wooden board; `tray`: beside it, where pieces wait. `x`, `o`:
tiles of a side. `gone`: where a tile or block was. `ring`: a ring that marbles lie in; `free`: a place where a
ring could be put. `A` to `M`: blocks."""

INKS: Final[dict[str, Ink]] = {
    "black": Ink("#2b2b2b", _LIGHT, "black"),
    "white": Ink("#fbf9f3", _DARK, "white"),
    "x": Ink("#1d2a42", _LIGHT, "troop of X", shape="badge"),
    "o": Ink("#8a4b10", _LIGHT, "troop of O", shape="badge"),
    "red": Ink("#c8372f", _LIGHT, "red"),
    "blue": Ink("#2f62c4", _LIGHT, "blue"),
    "green": Ink("#2c7a3a", _LIGHT, "green"),
    "yellow": Ink("#f2c81e", _DARK, "yellow"),
    "marbles": Ink("", "", "", shape="marbles"),
}
"""`black`, `white`, `red`, `blue`, `green`, `yellow`: discs. `x`, `o`: troops of a side. `marbles`: the text
holds one letter of `MARBLES` for each of them ("brr": one blue, two red)."""

MARBLES: Final = {"r": "red", "b": "blue", "g": "green", "y": "yellow"}
"""The ink of each letter in a text whose ink is `marbles`."""

"""The data of a picture of a board; `rules.drawing` draws it as ASCII, as an HTML table and as SVG.

A square board is one row for each rank, from the top. A hexagonal board has pointy tops and a `shift` for each
row. A board of another shape is a grid too. For example, a backgammon-like board has a column for each point
and five rows for its discs in each half; the disc farthest from the edge shows the count if there are more
("15"), cells of one point share its name, rows of cells without ground contain the numbers of the points, and
cells named "hand" and "off" contain the discs beside the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

ON_LIGHT: Final = "#222"
ON_DARK: Final = "#fff"
"""Colours of text."""


@dataclass(frozen=True, eq=False)
class Ground:
    """The look of a place: its colour ("" for none), the colour of text on it, its name for people, its sign
    when it is empty.

    SVG draws more than text and HTML: `shape` is "cell" (all of it), "tile" (a raised block), "ring", "dot" (a
    spot on the bare page), "down" or "up" (part of a long triangle, as in backgammon), "tray" (the wood beside
    those), "hole" (an open part of the `surface`), or for the surface itself "frame" or "wall" (of bricks).
    `lines` are the colours of all shapes but cells, tiles and holes: the inside of a ring, the ring and its
    edge; the dot; the field and the triangle; the tray; the surface and its edge. `name` is the class of the
    shape, by which a page changes its colours. `glyph` is as in `Ink`.

    Looks are compared as objects, so a game creates each of its looks once.
    """

    fill: str
    text: str
    label: str
    sign: str = "."
    shape: str = "cell"
    lines: tuple[str, ...] = ()
    name: str = ""
    glyph: str | None = None


@dataclass(frozen=True, eq=False)
class Ink:
    """The look of a piece: its colour, the colour of the text on it, its name for people, its shape.

    `shape` is "disc", "badge" (a rounded square) or "coin" (a badge that SVG draws round). If there are
    `marbles`, each letter of the text is a separate marble, with the ink that `marbles` has for it. `glyph` is
    the sign (a name in `rules.drawing.glyphs`) that SVG draws unless people ask for letters, "" if the colours
    differ enough; None if the text says more than the look, so that SVG always draws it.
    """

    fill: str
    text: str
    label: str
    shape: str = "disc"
    marbles: Mapping[str, Ink] = field(default_factory=dict)
    glyph: str | None = None


@dataclass(frozen=True)
class Cell:
    """One place of a picture.

    `name` is the name used in moves, such as "c4", "" for a place without one. `text` is the piece there, in at
    most four characters that say everything, since colour only repeats it; "" for an empty place. `ground` and
    `ink` are the looks of the place and of the piece on it. A cell without ground is not a place: its text, if
    any, is written on the bare page. `mark` means that the last turn, or the planned one, changed it; with a
    `marker`, a colour, that a turn since the reader's last one did.
    """

    name: str
    text: str = ""
    ground: Ground | None = None
    ink: Ink | None = None
    mark: bool = False
    marker: str = ""


@dataclass(frozen=True)
class Row:
    """Cells from left to right, `shift` half cells in from the left edge, with a label on both sides.

    In hexagonal pictures the two labels are the names of the first and the last named cell instead, so that
    people see the direction of counting.
    """

    label: str
    cells: tuple[Cell, ...]
    shift: int = 0


@dataclass(frozen=True)
class Arrow:
    """An arrow from one named place to another; `sort` is "move" (the piece goes there), "hit" (it hits the
    piece there) or "destroy" (it destroys that place).
    """

    start: str
    end: str
    sort: str = "move"


@dataclass(frozen=True)
class Die:
    """A die that was rolled for a turn: its number and its state.

    `state` is "" while it can be played, then "used", or "not played" if the turn ended without it.
    """

    number: int
    state: str = ""

    def __str__(self) -> str:
        return f"{self.number} ({self.state})" if self.state else str(self.number)


@dataclass(frozen=True)
class Tally:
    """A table of the things that the sides have beside the board, for pages to draw next to it.

    `sides` are the pieces of all seats, by number, and `rows` the things with how many of them each seat has;
    cells have the names that people read. The first captions of the diagram say the same: `repeats` is their
    number.
    """

    sides: tuple[Cell, ...]
    rows: tuple[tuple[Cell, tuple[int, ...]], ...]
    repeats: int


@dataclass(frozen=True)
class Diagram:
    """A picture: its rows from the top down, the labels of its columns (`files`), and lines below the board.

    `hexagonal` pictures have rows shifted against one another by half cells. `captions` are lines under the
    board: scores, reserves, and the `dice` to play. SVG draws the dice halfway down the board, where games that
    have them leave a row blank, with their middle at column `dice_at`, or in the middle of the board. SVG alone
    draws a `surface` under the places. `signs` are lines above the captions that explain the letters in the
    picture; readers of the board in sentences do not need them. A `tally` repeats captions as a table. Each
    drawing explains marks and arrows itself.
    """

    rows: tuple[Row, ...]
    files: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    hexagonal: bool = False
    dice: tuple[Die, ...] = ()
    signs: tuple[str, ...] = ()
    dice_at: float | None = None
    surface: Ground | None = None
    tally: Tally | None = None

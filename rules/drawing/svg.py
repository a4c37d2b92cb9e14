"""A board as SVG for web pages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape

from rules.drawing.diagram import Cell, Diagram, Ground, Ink
from rules.drawing.dice import svg_dice
from rules.drawing.frame import frame_of, labels, short
from rules.drawing.pieces import piece, small_piece
from rules.drawing.shapes import CROSS, HALF, ROUND, arrow, framed, light, mark, place
from rules.drawing.surface import Spot, surface, triangles

STYLE = (
    ".board .door{outline:none;cursor:pointer}"
    ".board .door:hover use{stroke:#c16;stroke-opacity:.6}"
    ".board .door:focus-visible use{stroke:#c16;stroke-opacity:1}"
    ".letter{display:none}"
)
"""The complete content of the style element, constant, so that a content security policy can name its hash."""


_SCALE = 1.36
"""Pixels for each unit of the picture, if there is room: the largest boards fill a column of a page."""
_MANY = 20
"""The number of empty places above which those that cannot be picked are marked, if they are fewer."""
_BARE = Ground("", "", "")


@dataclass(frozen=True)
class Door:
    """A place of a picture that a reader can pick: the pick, its description, and the address of its link.

    Without an address only a script can act on it. If it `lifts` a piece, a script can drag that piece. If it
    `destroys` the place, its frame is a broken line.
    """

    pick: str
    label: str
    address: str = ""
    lifts: bool = False
    destroys: bool = False


class Shapes:
    """Shapes that are drawn in many places: defined once, and used by all pictures that share this object.

    `name` is the prefix of the names of shapes; several objects on one page need different ones. Without
    `titles` the pictures have no titles and no doors: a description must be next to them.
    """

    def __init__(self, name: str = "b", *, titles: bool = True) -> None:
        self._name = name
        self._names: dict[str, str] = {}
        self._written = 0
        self.titles = titles

    def use(self, shape: str, x: float, y: float, title: str) -> str:
        """Return the SVG of a shape at a point, with its title element ("" for none).

        The definition of the shape is added once.
        """
        name = self._names.setdefault(shape, f"{self._name}{len(self._names)}")
        across, down = (f' x="{short(x)}"' if x else "", f' y="{short(y)}"' if y else "")
        used = f'<use href="#{name}"{across}{down}'
        return f"{used}>{title}</use>" if self.titles and title else f"{used}/>"

    def written(self) -> str:
        """Return the SVG definitions of the shapes that no earlier picture has defined."""
        names = list(self._names.items())[self._written :]
        self._written = len(self._names)
        return "".join([f'<g id="{name}">{shape}</g>' for shape, name in names])


def svg_board(
    diagram: Diagram,
    *,
    doors: Mapping[str, Door] | None = None,
    marks: Collection[str] = (),
    shapes: Shapes | None = None,
) -> str:
    """Draw the picture as one `<svg>` element, safe to insert as it is; the page may make it smaller.

    Each place has a `<title>` with its name and its piece, except for empty ones with a door, whose label says
    more. `doors` are places that can be picked, by name: one element each, for all cells of that name,
    highlighted, and with an outline when pointed at or focused. If most of many empty places can be picked, the
    others are crossed out instead. `marks` are names of places with picked pieces, which are marked
    besides those of the diagram. Labels take the text colour of the page. The captions are not in the picture.
    Pictures of one page, in its order, can share their `shapes`.
    """
    frame, shapes = frame_of(diagram), shapes or Shapes()
    rows = [
        [Spot(cell, x + 2 * HALF * at, y, diagram.hexagonal) for at, cell in enumerate(row.cells)]
        for row, x, y in frame.rows(diagram)
    ]
    every = [spot for spots in rows for spot in spots]
    under = surface(diagram.surface, every) + triangles(every)
    under = under and shapes.use(under, 0, 0, "")
    parts: list[str] = []
    doors = doors or {}
    named: dict[str, list[Spot]] = {name: [] for name in (*doors, *marks)}
    closed = crossed_out(diagram, doors)
    for spots in rows:
        if not shapes.titles:
            parts.append(_silent(shapes, spots))
            continue
        for spot in spots:
            if spot.cell.name in named:
                named[spot.cell.name].append(spot)
            else:
                parts.append(_drawn(shapes, spot, crossed=spot.cell.name in (closed or ())))
    for called, spots in named.items():
        if spots:
            lit = closed is None or any(spot.cell.text for spot in spots)
            look = {"marked": called in marks, "lit": lit}
            parts.append(_place(shapes, doors.get(called), spots, frame.height / 2, **look))
    dice_at = frame.margin + 2 * HALF * diagram.dice_at if diagram.dice_at is not None else frame.width / 2
    parts.append(svg_dice(diagram.dice, dice_at, frame.height / 2))
    centres = _centres(every) if diagram.arrows else {}
    for way in diagram.arrows:
        if way.start in centres and way.end in centres:
            parts.append(arrow(way.sort, centres[way.start], centres[way.end]))
    called = 'role="group" aria-label="Board"' if shapes.titles else 'aria-hidden="true"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {frame.width} {frame.height}" '
        f'width="{round(frame.width * _SCALE)}" {called} font-weight="bold" '
        'font-family="Arial,Helvetica,sans-serif" text-anchor="middle">'
        f"<style>{STYLE}</style><defs>{shapes.written()}</defs>"
        f"{under}{labels(diagram, frame)}{''.join(parts)}</svg>"
    )


def svg_swatch(cell: Cell) -> str:
    """Draw a piece or place without its board, in the size and font of the page; "" for one without a look."""
    if not (cell.ground or cell.ink):
        return ""
    ground = cell.ground or _BARE
    drawn = (place(ground, False) if cell.ground else "") + small_piece(cell.text, ground, cell.ink)
    return f'<svg class="swatch" viewBox="-21 -21 42 42">{drawn}</svg>'


def crossed_out(diagram: Diagram, doors: Collection[str]) -> set[str] | None:
    """Return the empty places to cross out, None unless most of many empty places have doors."""
    empty = {cell.name for row in diagram.rows for cell in row.cells if cell.ground and not cell.text}
    closed = empty.difference(doors)
    return closed if len(empty) > _MANY and 2 * len(closed) < len(empty) else None


def _centres(spots: Sequence[Spot]) -> dict[str, tuple[float, float]]:
    """Return the middle of each named cell; of cells that share a name, the first."""
    centres: dict[str, tuple[float, float]] = {}
    for spot in spots:
        centres.setdefault(spot.cell.name, (spot.x, spot.y))
    centres.pop("", None)
    return centres


def _place(
    shapes: Shapes, door: Door | None, spots: Sequence[Spot], middle: float, *, marked: bool, lit: bool
) -> str:
    """Draw all cells of a place; one of them is highlighted (`lit`) if there is a door, and marked."""
    face = _face(spots, middle)
    drawn = ""
    for spot in spots:
        is_face = spot is face
        shown = spot._replace(cell=replace(spot.cell, mark=True)) if marked and is_face else spot
        light_of = ("destroy" if door.destroys else "pick") if lit and door is not None and is_face else ""
        drawn += _drawn(shapes, shown, door=door is not None, lit=light_of)
    held = ' data-held=""' if marked else ""
    if door is None:
        return f"<g{held}>{drawn}</g>" if held else drawn
    lifts = ' data-lifts=""' if door.lifts else ""
    said = f'class="door" data-pick="{escape(door.pick)}" aria-label="{escape(door.label)}"{lifts}{held}'
    return f'<a href="{escape(door.address)}" {said}>{drawn}</a>' if door.address else f"<g {said}>{drawn}</g>"


def _face(spots: Sequence[Spot], middle: float) -> Spot:
    """Return the cell that stands for a place: the innermost disc of a stack, or the cell at the edge
    if empty.
    """
    pieces = [spot for spot in spots if spot.cell.text]
    if pieces:
        return min(pieces, key=lambda spot: abs(spot.y - middle))
    return max(spots, key=lambda spot: abs(spot.y - middle))


def _silent(shapes: Shapes, spots: Sequence[Spot]) -> str:
    """Draw a row as a separate shape: others often look the same."""
    drawn = "".join([_drawn(shapes, spot._replace(y=0)) for spot in spots if _is_visible(spot.cell)])
    return shapes.use(drawn, 0, spots[0].y, "") if drawn else ""


def _is_visible(cell: Cell) -> bool:
    """Return whether a cell shows more than the surface under it."""
    return bool(cell.text or cell.mark or (cell.ground and cell.ground.shape not in ("down", "up", "hole")))


def _drawn(shapes: Shapes, spot: Spot, *, door: bool = False, lit: str = "", crossed: bool = False) -> str:
    """Draw a place. As part of a door it has a frame when pointed at or focused; `lit`, which is "pick" or
    "destroy", highlights it.
    """
    cell = spot.cell
    if not cell.ground:
        return ""
    changed = cell.marker if cell.mark else None
    shape = _shape(cell.text, cell.ground, cell.ink, changed, spot.hexagonal, door, lit, crossed)
    title = "" if door and not cell.text and not cell.mark else _title(cell)
    return shapes.use(shape, spot.x, spot.y, title)


@lru_cache(maxsize=4096)
def _shape(
    text: str,
    ground: Ground,
    ink: Ink | None,
    changed: str | None,
    hexagonal: bool,
    door: bool,
    lit: str,
    crossed: bool,
) -> str:
    """Return the shape of a place; `changed` is the marker of a changed one, None for others."""
    content = piece(text, ground, ink)
    if changed is not None:
        outline = mark(ground, hexagonal, changed)
        # A frame over a disc would cut it off.
        content = content + outline if ground.shape in ROUND else outline + content
    shape = place(ground, hexagonal) + content
    if crossed:
        shape += CROSS
    if lit:
        shape += light(ground, hexagonal, not text, lit == "destroy")
    return framed(shape, ground, hexagonal) if door else shape


@lru_cache(maxsize=4096)
def _title(cell: Cell) -> str:
    """Return the title element of a cell, with the cell in words: "c4: b, black"."""
    look = cell.ink or cell.ground
    label = look.label if look else ""
    what = ", ".join(part for part in (cell.text, label) if part) or "empty"
    named = f"{cell.name}: {what}" if cell.name else what
    when = "since your turn" if cell.marker else "this turn"
    spoken = f"{named} (changed {when})" if cell.mark else named
    return f"<title>{escape(spoken)}</title>"

"""The move builder of Nebuchadnezzar: a point, or an enemy disc and its rectangle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from rules.drawing.diagram import Diagram
from rules.games.nebuchadnezzar.board import Flip, Move, Place, point_name, rectangle
from rules.games.nebuchadnezzar.notation import write_move
from rules.games.nebuchadnezzar.picture import label, picture
from rules.games.nebuchadnezzar.position import Position
from rules.geometry.bits import numbers_in
from rules.move_builder import MoveBuilder, Pick

_FLIPPED = "x"
"""Comes before the point of an enemy disc that was picked."""


@dataclass(frozen=True)
class PlainMoveBuilder(MoveBuilder[Move]):
    """A builder for placements and flips; `disc` is the enemy disc that was picked, if any."""

    position: Position
    fitting: tuple[Move, ...]
    disc: str = ""
    chosen: Move | None = None

    def picks(self) -> Iterator[Pick]:
        """Yield points, the swap and enemy discs; then, for a disc in several rectangles, those rectangles."""
        if self.chosen is not None:
            return
        if self.disc:
            yield from map(self._rectangle, self.fitting)
            return
        for move in self.fitting:
            if not isinstance(move, Flip):
                text = write_move(move)
                place = text if isinstance(move, Place) else ""
                yield Pick(text, place, label(move), "place" if place else "swap")
        for disc in sorted({disc for move in self.fitting for disc in _discs(move)}):
            name = point_name(disc)
            yield Pick(f"{_FLIPPED}{name}", name, f"flip {name}", "flip")

    def picked(self, text: str) -> PlainMoveBuilder:
        if self.disc or not text.startswith(_FLIPPED):
            return PlainMoveBuilder(self.position, self.fitting, self.disc, self._by_text[text])
        disc = text.removeprefix(_FLIPPED)
        fitting = self._by_disc[disc]
        return replace(self, fitting=fitting, disc=disc, chosen=fitting[0] if len(fitting) == 1 else None)

    def picks_of(self, move: Move) -> tuple[str, ...]:
        """Return the picks of a legal move: for a flip a disc, and the rectangle if the disc is in several."""
        text = write_move(move)
        if not isinstance(move, Flip):
            return (text,)
        disc = f"{_FLIPPED}{point_name(move.low)}"
        return (disc,) if self.picked(disc).chosen else (disc, text)

    def move(self) -> Move | None:
        return self.chosen

    def marks(self) -> tuple[str, ...]:
        return (self.disc,) * bool(self.disc)

    def diagram(self) -> Diagram:
        return picture(self.position, None, None)

    @cached_property
    def _by_text(self) -> dict[str, Move]:
        return {write_move(move): move for move in self.fitting}

    @cached_property
    def _by_disc(self) -> dict[str, tuple[Move, ...]]:
        """The moves that flip each disc, by the name of the disc."""
        found: dict[str, list[Move]] = {}
        for move in self.fitting:
            for disc in _discs(move):
                found.setdefault(point_name(disc), []).append(move)
        return {name: tuple(moves) for name, moves in found.items()}

    def _rectangle(self, flip: Move) -> Pick:
        """Return the pick of a disc that is only in this rectangle, or of the rectangle if there is none."""
        others = {disc for other in self.fitting if other != flip for disc in _discs(other)}
        own = next((disc for disc in _discs(flip) if disc not in others), None)
        return Pick(write_move(flip), "" if own is None else point_name(own), label(flip), "flip")


def _discs(move: Move) -> list[int]:
    return list(numbers_in(rectangle(move))) if isinstance(move, Flip) else []

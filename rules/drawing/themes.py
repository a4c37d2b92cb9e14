"""Looks that several games share: a wooden board, black and white discs, water where a tile or block was."""

from __future__ import annotations

from typing import Final

from rules.drawing.diagram import ON_DARK, ON_LIGHT, Ground, Ink

LIGHT: Final = Ground("#ecd9b0", ON_LIGHT, "", name="square")
DARK: Final = Ground("#cfa76c", ON_LIGHT, "")
"""Squares."""
POINTS: Final = {
    shape: tuple(
        Ground(fill, ON_LIGHT, "", shape=shape, lines=("#e9d7b3", colour), name=name)
        for fill, colour, name in (("#ecd9b0", "#c8925a", "light-point"), ("#cfa76c", "#8a4a2c", "dark-point"))
    )
    for shape in ("down", "up")
}
"""The light and the dark points of a board as in backgammon, by the direction of their tips."""
TRAY, OWN_TRAY = (
    Ground("#dddbd5", ON_LIGHT, "", sign=" ", shape="tray", lines=(colour,), name=name)
    for colour, name in (("#8f6140", "tray"), ("#c39a6b", "own-tray"))
)
"""The area beside the points, where discs wait; SVG draws the reader's brighter, for spectators those of the
side to move.
"""
GONE: Final = Ground("#b5d3e4", "#2f4d61", "nothing left", shape="hole")
"""A place whose tile or block is gone."""

FRAME: Final = Ground("#5d3a22", ON_DARK, "", shape="frame", lines=("#8f6140", "#5d3a22"), name="frame")
WALL: Final = Ground("#a5653c", ON_DARK, "", shape="wall", lines=("#6e3d22", "#b9794b"), name="wall")
"""Surfaces under boards: wood, and bricks of clay."""

BLACK: Final = Ink("#2b2b2b", ON_DARK, "black", glyph="")
WHITE: Final = Ink("#fbf9f3", ON_LIGHT, "white", glyph="")

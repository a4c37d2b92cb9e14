"""Looks that several games share: a wooden board, black and white discs, water where a tile or block was."""

from __future__ import annotations

from typing import Final

from rules.drawing.diagram import ON_DARK, ON_LIGHT, Ground, Ink

LIGHT: Final = Ground("#ecd9b0", ON_LIGHT, "")
DARK: Final = Ground("#cfa76c", ON_LIGHT, "")
"""Squares and points."""
TRAY: Final = Ground("#dddbd5", ON_LIGHT, "", sign=" ")
"""The area beside the board, where discs wait."""
GONE: Final = Ground("#b5d3e4", "#2f4d61", "nothing left")
"""A place whose tile or block is gone."""

BLACK: Final = Ink("#2b2b2b", ON_DARK, "black")
WHITE: Final = Ink("#fbf9f3", ON_LIGHT, "white")

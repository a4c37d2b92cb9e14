"""Pictures of a `Diagram`: ASCII for text emails, an HTML table for HTML emails, SVG for web pages."""

from __future__ import annotations

from rules.drawing.ascii import ascii_board
from rules.drawing.html import html_board, link_sign
from rules.drawing.svg import STYLE, Door, Shapes, crossed_out, svg_board, svg_swatch

__all__ = [
    "STYLE",
    "Door",
    "Shapes",
    "ascii_board",
    "crossed_out",
    "html_board",
    "link_sign",
    "svg_board",
    "svg_swatch",
]

"""The pieces of an SVG picture: discs, badges and marbles, with their signs and letters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from html import escape

from rules.drawing.diagram import Ground, Ink
from rules.drawing.glyphs import GLYPHS

_FONT_SIZES = (0, 20, 17, 14, 12)
_MARBLE_PLACES = (
    (),
    ((0, 0),),
    ((-7.6, 0), (7.6, 0)),
    ((0, -8), (-7.2, 5.2), (7.2, 5.2)),
    ((-7.4, -7.4), (7.4, -7.4), (-7.4, 7.4), (7.4, 7.4)),
)
_EDGE = 'stroke="#000" stroke-opacity=".55"'
_SHINE = '<ellipse cx="-5" cy="-7" rx="6.5" ry="3.6" transform="rotate(-30)" fill="#fff" fill-opacity=".3"/>'


@lru_cache(maxsize=1024)
def piece(text: str, ground: Ground, ink: Ink | None) -> str:
    """Draw the piece on a place, in the colours of `ink`; without ink, the sign or text of the empty place."""
    if not ink:
        return _meaning(text, ground)
    if ink.marbles:
        return _marbles(text, ink.marbles)
    if ink.shape in ("badge", "coin"):
        corner = 16 if ink.shape == "coin" else 6
        body = f'<rect x="-16" y="-16" width="32" height="32" rx="{corner}" fill="{ink.fill}" stroke="#fff"'
        shadow = f'<rect x="-16.5" y="-14.5" width="33" height="33" rx="{corner}" fill-opacity=".28"/>'
        return f'{shadow}{body} stroke-width="2"/>{_meaning(text, ink)}'
    rim = f'<circle r="11.5" fill="none" stroke="{ink.text}" stroke-opacity=".3" stroke-width="1.5"/>'
    shadow = '<circle cy="1.8" r="17" fill-opacity=".28"/>'
    disc = f'{shadow}<circle r="17" fill="{ink.fill}" {_EDGE}/>{rim}{_SHINE}'
    return disc + _meaning(text, ink)


def small_piece(text: str, ground: Ground, ink: Ink | None) -> str:
    """Draw a piece like `piece`, but a disc without details, for small pictures of it."""
    if not ink or ink.marbles or ink.shape != "disc":
        return piece(text, ground, ink)
    return f'<circle r="18" fill="{ink.fill}" stroke="#000"/>{_meaning(text, ink) if ink.glyph else ""}'


def letters(text: str, colour: str, size: int = 0, more: str = "") -> str:
    """Draw a text in the middle of a cell, smaller the longer it is."""
    if not text:
        return ""
    size = size or _FONT_SIZES[min(len(text), 4)]
    return f'<text {more}dy=".35em" font-size="{size}" fill="{colour}">{escape(text)}</text>'


def _meaning(text: str, look: Ground | Ink, size: int = 0, scale: float = 1) -> str:
    """Draw the text of a piece; if its look says the same, only on request, and otherwise its sign."""
    if look.glyph is None or not (len(text) == 1 and text.isalpha()):
        return letters(text, look.text, size)
    path = GLYPHS[look.glyph]
    turned = f' transform="scale({scale:g})"' if scale != 1 else ""
    sign = f'<path class="glyph" fill="{look.text}" fill-opacity=".8" d="{path}"{turned}/>' if path else ""
    return sign + letters(text, look.text, size, 'class="letter" ')


def _marbles(text: str, inks: Mapping[str, Ink]) -> str:
    radius = 11 if len(text) == 1 else 7.4
    scale = radius / 17
    drawn = []
    for letter, (x, y) in zip(text, _MARBLE_PLACES[len(text)], strict=True):
        look = inks[letter]
        drawn.append(
            f'<g transform="translate({x:g} {y:g})"><circle r="{radius:g}" fill="{look.fill}" {_EDGE}/>'
            f'<g transform="scale({scale:.2g})">{_SHINE}</g>'
            f"{_meaning(letter, look, round(radius + 2), scale)}</g>"
        )
    return "".join(drawn)

"""Contrast of a text with its background."""

from __future__ import annotations

ENOUGH = 4.5
"""The contrast that WCAG requires."""


def contrast(fill: str, text: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    light, dark = sorted((brightness(fill), brightness(text)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def brightness(colour: str) -> float:
    """Return the relative luminance of `#rgb` or `#rrggbb`, as defined by WCAG."""
    if len(colour) == 4:
        colour = "#" + "".join(2 * digit for digit in colour[1:])
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

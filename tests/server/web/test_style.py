"""The contrast of the colours of pages, in light and dark; higher in the high-contrast scheme."""

from __future__ import annotations

import re

import pytest

from rules.drawing.diagram import ON_DARK, ON_LIGHT
from rules.drawing.themes import BLACK
from server.game.preferences.choices import THEME
from server.web.shared.templating import PAGES

_STYLE = (PAGES / "static" / "style.css").read_text(encoding="utf-8")
_COLOUR = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
_USUAL, _HIGH = (
    _COLOUR.findall(block)
    for block in re.findall(r'(?:^:root|^\[data-colours="contrast"\]) \{(.*?)^\}', _STYLE, re.S | re.M)
)
_SCHEMES = {
    "day": {name: light for name, light, _ in _USUAL},
    "night": {name: dark for name, _, dark in _USUAL},
    "high-day": {name: light for name, light, _ in _HIGH},
    "high-night": {name: dark for name, _, dark in _HIGH},
}


_THEMES = {
    name: dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", colours))
    for name, colours in re.findall(r"^(.*) \{ (--wood.*) \}$", _STYLE, re.M)
}


def luminance(colour: str) -> float:
    """Return the relative luminance as defined by WCAG 2."""
    if len(colour) == len("#fff"):
        colour = "#" + "".join(2 * digit for digit in colour[1:])
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast, from 1 for equal colours to 21 for black and white."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", _SCHEMES)
@pytest.mark.parametrize(
    ("text", "on"),
    [
        *((text, on) for text in ("ink", "soft", "strong", "grave") for on in ("ground", "tablet", "well")),
        ("ink", "wrong"),
        ("strong", "wrong"),
        ("on-strong", "strong"),
    ],
)
def test_text_has_contrast(scheme: str, text: str, on: str) -> None:
    colours = _SCHEMES[scheme]
    assert contrast(colours[text], colours[on]) >= (7 if scheme.startswith("high") else 4.5)


@pytest.mark.parametrize("scheme", _SCHEMES)
@pytest.mark.parametrize("on", ["ground", "tablet", "well"])
def test_focus_is_visible(scheme: str, on: str) -> None:
    assert contrast(_SCHEMES[scheme]["focus"], _SCHEMES[scheme][on]) >= 3


def test_old_browsers_show_light_colours() -> None:
    plain = _STYLE.partition("@supports not (color: light-dark(red, red))")[2].partition("\n}")[0]
    assert dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", plain)) == _SCHEMES["day"]


def test_high_contrast_changes_every_colour() -> None:
    assert _SCHEMES["high-day"].keys() == _SCHEMES["day"].keys()


@pytest.mark.parametrize("theme", _THEMES)
def test_sides_and_letters_stand_out_in_every_theme_of_boards(theme: str) -> None:
    colours = _THEMES[theme]
    assert colours.keys() == _THEMES["html"].keys(), "each theme changes every colour"
    assert contrast(colours["x"], colours["o"]) >= 3
    assert min(contrast(colours[each], colours["sea"]) for each in ("x", "o")) >= 1.3
    assert contrast(colours["light"], colours["dark"]) >= 1.8
    for text, grounds in ((ON_DARK, ("x",)), (ON_LIGHT, ("o", "field", "inside"))):
        assert min(contrast(text, colours[ground]) for ground in grounds) >= 4.5
    for ground in ("field", "baize", "own"):
        assert contrast(BLACK.fill, colours[ground]) >= 3


def test_each_theme_can_be_chosen() -> None:
    named = {name for key in _THEMES for name in re.findall(r'data-theme="(\w+)"', key)}
    assert named == {way.word for way in THEME.ways[1:]}

"""A letter drawn as people may see it: HTML in two widths, light and dark, and the text in two fonts."""

from __future__ import annotations

import base64
import io
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver

from tests.pictures.letters import Shown

_TALLEST = 1250
"""Pixels of a letter that are drawn; what is below is text that goes on like that."""
_COLOURS = 40
_WIDTHS = (640, 390)
_FONTS = ("12px/1.3 monospace", "15px/1.4 Arial, Helvetica, sans-serif")
_PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:12px;display:flex;gap:16px;align-items:flex-start;width:max-content">{panes}</body></html>
"""
_GROW = """
const tallest = arguments[0]
for (const frame of document.querySelectorAll("iframe")) {
  frame.style.height = Math.min(tallest, frame.contentDocument.documentElement.scrollHeight) + "px"
}
return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]
"""


def draw(driver: webdriver.Chrome, letter: Shown, folder: Path) -> Image.Image:
    """All views of a letter side by side, in few colours; `folder` is for pages on the way."""
    inbox = f"<b>{escape(letter.sender)}</b><br>{escape(letter.subject)}<br><i>{escape(letter.preview)}</i>"
    frames = [_frame(letter.html, width) for width in _WIDTHS]
    texts = [_text(letter.text, font) for font in _FONTS]
    light = _shoot(driver, [_inbox(inbox, frames[0]), frames[1], *texts], folder, "light")
    dark = _shoot(driver, frames, folder, "dark")
    sheet = Image.new("RGB", (light.width + dark.width, max(light.height, dark.height)), "white")
    sheet.paste(light, (0, 0))
    sheet.paste(dark, (light.width, 0))
    return sheet.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)


def _inbox(line: str, frame: str) -> str:
    style = "font:14px/1.4 Arial,sans-serif;width:640px;padding-bottom:8px;border-bottom:1px solid #888"
    return f'<div><div style="{style}">{line}</div>{frame}</div>'


def _frame(html: str, width: int) -> str:
    style = f"width:{width}px;border:0;height:100px"
    return f'<iframe style="{style}" srcdoc="{escape(html)}"></iframe>'


def _text(text: str, font: str) -> str:
    style = f"font:{font};margin:0;width:590px;max-height:{_TALLEST}px;overflow:hidden;white-space:pre-wrap"
    return f'<pre style="{style}">{escape(text)}</pre>'


def _shoot(driver: webdriver.Chrome, panes: list[str], folder: Path, scheme: str) -> Image.Image:
    """A page with these panes, for people who prefer light or dark pages."""
    page = folder / "sheet.html"
    page.write_text(_PAGE.format(panes="".join(panes)), encoding="utf-8")
    _ask(driver, "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    driver.get(page.as_uri())
    width, height = driver.execute_script(_GROW, _TALLEST)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    shot = _ask(driver, "Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
    return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")


def _ask(driver: webdriver.Chrome, command: str, **what: Any) -> Any:
    return driver.execute_cdp_cmd(command, what)

"""Letters and pages drawn as people see them: in two widths, light and dark; text in two fonts."""

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
"""The number of pixels of a letter that are drawn; the rest is more text."""
_COLOURS = 40
_WIDTHS = (640, 390)
_TALLEST_PAGE = 2200
_PAGE_WIDTHS = (1280, 390)
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
_LOAD = """
const done = arguments[0]
const images = [...document.images]
for (const image of images) image.loading = "eager"
Promise.allSettled(images.map(image => image.decode())).then(() => done(document.documentElement.scrollHeight))
"""


def draw(driver: webdriver.Chrome, letter: Shown, folder: Path) -> Image.Image:
    """Draw all views of a letter side by side, in few colours; `folder` is for temporary pages."""
    inbox = f"<b>{escape(letter.sender)}</b><br>{escape(letter.subject)}<br><i>{escape(letter.preview)}</i>"
    frames = [_frame(letter.html, width) for width in _WIDTHS]
    texts = [_text(letter.text, font) for font in _FONTS]
    light = _shoot(driver, [_inbox(inbox, frames[0]), frames[1], *texts], folder, "light")
    sheet = _beside([light, _shoot(driver, frames, folder, "dark")])
    return sheet.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).convert("RGB")


def draw_page(driver: webdriver.Chrome, address: str) -> Image.Image:
    """Draw a page side by side in two widths, each light and dark."""
    return _beside(
        [_view(driver, address, width, scheme) for width in _PAGE_WIDTHS for scheme in ("light", "dark")]
    )


def look(driver: webdriver.Chrome, width: int, height: int) -> Image.Image:
    """Return the top of the open page in light colours, in a window of this size."""
    _ask(
        driver,
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=1,
        mobile=False,
    )
    _prefer(driver, "light")
    return _shot(driver, width, height)


def _view(driver: webdriver.Chrome, address: str, width: int, scheme: str) -> Image.Image:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    _ask(driver, "Emulation.setDeviceMetricsOverride", **metrics)
    _prefer(driver, scheme)
    driver.get(address)
    return _shot(driver, width, min(driver.execute_async_script(_LOAD), _TALLEST_PAGE))


def _beside(pictures: list[Image.Image]) -> Image.Image:
    """Return pictures side by side as one."""
    size = sum(each.width for each in pictures), max(each.height for each in pictures)
    sheet, x = Image.new("RGB", size, "white"), 0
    for picture in pictures:
        sheet.paste(picture, (x, 0))
        x += picture.width
    return sheet


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
    """Return a picture of a page with these panes, in light or dark colours."""
    page = folder / "sheet.html"
    page.write_text(_PAGE.format(panes="".join(panes)), encoding="utf-8")
    _prefer(driver, scheme)
    driver.get(page.as_uri())
    width, height = driver.execute_script(_GROW, _TALLEST)
    return _shot(driver, width, height)


def _prefer(driver: webdriver.Chrome, scheme: str) -> None:
    _ask(driver, "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])


def _shot(driver: webdriver.Chrome, width: int, height: int) -> Image.Image:
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    shot = _ask(driver, "Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
    return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")


def _ask(driver: webdriver.Chrome, command: str, **what: Any) -> Any:
    return driver.execute_cdp_cmd(command, what)

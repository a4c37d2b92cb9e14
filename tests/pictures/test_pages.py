"""Every page is accessible in every state. `make pictures` draws them.

axe-core checks the rules of WCAG 2.2 AA and good practice that a program can check. These tests also measure
the size of targets, which is new in 2.2, and whether a page must be scrolled sideways. Pages without new
elements are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from axe_core_python.selenium import Axe  # type: ignore[import-untyped]
from flask import template_rendered
from jinja2 import Template
from selenium import webdriver

from server.settings import ROOT
from tests.pictures.places import telling
from tests.pictures.served import shown
from tests.support.web.chromium import chromium

pytestmark = pytest.mark.slow

_LIGHT = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
_DARK = ["color-contrast"]
_LOOK = """
const [tags, done] = arguments
const told = each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 300)}`)
axe.run(document, {runOnly: tags, resultTypes: ["violations"], preload: false, selectors: false}).then(
  found => done(found.violations.flatMap(told)), error => done([String(error)]))
"""
_SMALL = """
const pressed = "button, .button, input:not([type=hidden]), select, textarea, summary, nav a, .board .door"
return [...document.querySelectorAll(pressed)].filter(element => {
  const {width, height} = element.getBoundingClientRect()
  return element.checkVisibility() && Math.min(width, height) < 24
}).map(element => `target-size: ${element.outerHTML.slice(0, 300)}`)
"""
_WIDE = """
const {scrollWidth, clientWidth} = document.documentElement
return scrollWidth > clientWidth ? ["has to be scrolled sideways"] : []
"""
_DESK, _PHONE, _NARROWEST = 1280, 390, 320
"""Pixels; 320 is the smallest width in WCAG. Squares of large boards are too small there, but also listed."""
_PALE = "background: #777; color: #888"
_TINY = "width: 9px; min-width: 0; height: 9px; min-height: 0; padding: 0"
_BAD = {
    "pale": f'<p style="{_PALE}">This cannot be read.</p>',
    "dark": f"<style>@media (prefers-color-scheme: dark) {{ i {{ {_PALE} }} }}</style><i>Nor can this.</i>",
    "small": f'<button style="{_TINY}" aria-label="Play"></button>',
    "phone": (
        f"<style>button {{ padding: 2rem }} @media (width < 600px) {{ button {{ {_TINY} }} }}</style>"
        "<button>Play</button>"
    ),
    "wide": '<p class="wide" style="width:2000px">This has to be scrolled sideways.</p>',
    "unnamed": "<input style='padding: 2rem'><h3>Three</h3>",
}
"""Pages with deliberate errors."""
_FOUND = {
    "pale": ["color-contrast", "color-contrast"],
    "dark": ["color-contrast"],
    "small": ["target-size", "target-size"],
    "phone": ["target-size"],
    "wide": ["has to be scrolled sideways"],
    "unnamed": ["heading-order", "label"],
}
"""The errors that are found there, light and dark, on a desk and on a phone."""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile"), scripts=True) as driver:
        driver.set_script_timeout(60)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": Axe().axe_script})
        yield driver


@dataclass(frozen=True)
class Shown:
    """The URLs of the pages to check by name, and the templates that rendered any page."""

    addresses: dict[str, str]
    templates: frozenset[str | None]


@pytest.fixture(scope="module")
def pages() -> Iterator[Shown]:
    drawn: set[str | None] = set()

    def note(sender: object, template: Template, **context: object) -> None:
        drawn.add(template.name)

    html = (
        '<!doctype html><html lang="en"><title>Bad</title><meta name="viewport" content="width=device-width">'
        "<main><h1>Bad</h1>{}</main>"
    )
    with (
        template_rendered.connected_to(note),
        shown({f"bad-{name}": html.format(bad) for name, bad in _BAD.items()}, telling) as addresses,
    ):
        yield Shown(addresses, frozenset(drawn))


def resize(driver: webdriver.Chrome, width: int) -> None:
    """Set the width of the window in pixels; below 600 it is a phone."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def colour(driver: webdriver.Chrome, scheme: str) -> None:
    """Set the preferred colour scheme."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def problems_of(driver: webdriver.Chrome) -> Iterator[str]:
    """Yield the problems of the open page.

    Each kind is checked where it can occur: low contrast in each scheme, small targets on a desk and on a
    phone, overflow at the smallest width. Other problems do not depend on scheme or size.
    """
    resize(driver, _DESK)
    yield from driver.execute_async_script(_LOOK, _LIGHT)
    yield from driver.execute_script(_SMALL)
    resize(driver, _PHONE)
    yield from driver.execute_script(_SMALL)
    colour(driver, "dark")
    yield from driver.execute_async_script(_LOOK, _DARK)
    colour(driver, "light")
    resize(driver, _NARROWEST)
    yield from driver.execute_script(_WIDE)


@pytest.mark.long
@pytest.mark.first
def test_pages_have_no_accessibility_errors(driver: webdriver.Chrome, pages: Shown) -> None:
    """Opens each page with an element that no page before had."""
    found: list[str] = []
    for name, address in pages.addresses.items():
        driver.get(address)
        found += [f"{name}: {problem}" for problem in problems_of(driver)]
    assert [each for each in found if not each.startswith("bad-")] == []
    assert {name: sorted(sorts_of(f"bad-{name}", found)) for name in _BAD} == _FOUND


def sorts_of(name: str, found: list[str]) -> Iterator[str]:
    """Yield the kinds of problems on a page, each as often as it was found."""
    for each in found:
        page, sort = each.split(": ")[:2]
        if page == name:
            yield sort


def _pages_in(room: Path) -> list[Path]:
    return [path for kind in ("*.html", "*.md") for path in room.rglob(kind)]


@pytest.mark.long
@pytest.mark.first
def test_every_page_has_a_picture(pages: Shown) -> None:
    """Every template of a page is used."""
    rooms = [ROOT / "templates" / part for part in ("web", "demo")]
    templates = {path: str(path.relative_to(room)) for room in rooms for path in _pages_in(room)}
    frames = {"base.html", "frame.html", "parts.html"}
    assert pages.templates == {
        name for path, name in templates.items() if path.name not in frames and path.name[0] != "_"
    }

"""Everybody can use every page, in every state. `make pictures` draws them.

axe-core looks for all that WCAG 2.2 AA and good practice ask and a program can find; how large a target has to
be, which is new in 2.2, is measured here, and whether a page has to be scrolled sideways.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from axe_core_python.selenium import Axe  # type: ignore[import-untyped]
from flask import template_rendered
from jinja2 import Template
from selenium import webdriver

from server.settings import ROOT
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
_PLACES = """
const styled = ["class", "type", "hidden", "open", "scope", "aria-current", "aria-invalid", "aria-pressed",
  "data-colours"]
const named = each => [each.localName, ...styled.map(name => each.getAttribute(name))].join(" ")
const places = new Set()
const walk = (element, above) => {
  const place = `${above}>${named(element)}`
  places.add(place)
  for (const child of element.children) walk(child, place)
}
walk(document.documentElement, "")
return [...places]
"""
"""Where elements are on a page, as far as style sheets tell them apart."""
_NARROWEST = 320
"""Pixels, the fewest that WCAG asks for. Squares of large boards are too small there, but in lists, too."""
_BAD = {
    "pale": '<p class="pale" style="background:#777;color:#888">This cannot be read.</p>',
    "small": '<button style="width:9px;height:9px;padding:0" aria-label="Play"></button>',
    "wide": '<p style="width:2000px">This has to be scrolled sideways.</p>',
    "unnamed": "<input><h1>One</h1><h3>Three</h3>",
}
"""Pages with something to find."""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile"), scripts=True) as driver:
        driver.set_script_timeout(60)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": Axe().axe_script})
        yield driver


@dataclass(frozen=True)
class Shown:
    """The addresses of all pages by name, and the templates that rendered them."""

    addresses: dict[str, str]
    templates: frozenset[str | None]


@pytest.fixture(scope="module")
def pages() -> Iterator[Shown]:
    drawn: set[str | None] = set()

    def note(sender: object, template: Template, **context: object) -> None:
        drawn.add(template.name)

    html = '<!doctype html><html lang="en"><title>Bad</title><main>{}</main>'
    with (
        template_rendered.connected_to(note),
        shown({f"bad-{name}": html.format(bad) for name, bad in _BAD.items()}) as addresses,
    ):
        yield Shown(addresses, frozenset(drawn))


def resize(driver: webdriver.Chrome, width: int) -> None:
    """Set the width of the window in pixels; below 600 it is a phone."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def colour(driver: webdriver.Chrome, scheme: str) -> None:
    """Prefer this colour scheme."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def problems_of(driver: webdriver.Chrome, seen: set[str]) -> Iterator[str]:
    """Yield the problems of the open page, and add its places to `seen`."""
    resize(driver, 1280)
    yield from driver.execute_async_script(_LOOK, _LIGHT)
    yield from driver.execute_script(_SMALL)
    places = set(driver.execute_script(_PLACES))
    resize(driver, 390)
    yield from driver.execute_script(_SMALL)
    if places - seen:
        seen |= places
        yield from driver.execute_async_script(_LOOK, _LIGHT)
        colour(driver, "dark")
        yield from driver.execute_async_script(_LOOK, _DARK)
        colour(driver, "light")
    resize(driver, _NARROWEST)
    yield from driver.execute_script(_WIDE)


@pytest.mark.long
@pytest.mark.first
def test_nothing_keeps_anybody_from_a_page(driver: webdriver.Chrome, pages: Shown) -> None:
    """Each page is opened once and checked in a wide window.

    On a phone, light and dark, it is checked if it has an element in a place where no earlier page had one.
    """
    found: list[str] = []
    seen: set[str] = set()
    for name, address in pages.addresses.items():
        driver.get(address)
        found += [f"{name}: {problem}" for problem in problems_of(driver, seen)]
    assert [each for each in found if not each.startswith("bad-")] == []
    assert [each for each in found if each.endswith("sideways")] == ["bad-wide: has to be scrolled sideways"]
    for planted, times in (("bad-pale: color-contrast", 3), ("bad-small: target-size", 2)):
        assert sum(each.startswith(planted) for each in found) == times, "it looks at what is shown"


@pytest.mark.timeout(300)  # seconds: it grows with every page
def test_no_page_is_left_out(pages: Shown) -> None:
    """Every template of a page is shown."""
    rooms = [ROOT / "templates" / part for part in ("web", "demo")]
    templates = {path: str(path.relative_to(room)) for room in rooms for path in room.rglob("*.html")}
    frames = {"base.html", "frame.html"}
    assert pages.templates == {
        name for path, name in templates.items() if path.name not in frames and path.name[0] != "_"
    }

"""Everybody can use every page, in every state. `make pictures` draws them.

axe-core looks for all that WCAG 2.2 AA and good practice ask and a program can find; how large a target has to
be, which is new in 2.2, is measured here, and whether a page has to be scrolled sideways.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_core_python.selenium import Axe  # type: ignore[import-untyped]
from flask import template_rendered
from jinja2 import Template
from selenium import webdriver

from server.processes.services import open_services
from server.settings import ROOT
from tests.e2e.browsing import chromium
from tests.pictures.pages import every_page
from tests.pictures.served import shown
from tests.services import Clock, settings_for, sqlite_database

pytestmark = pytest.mark.slow

_LIGHT = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
_DARK = ["color-contrast"]
_LOOK = """
const [tags, done] = arguments
const told = each => each.nodes.map(node => `${each.id}: ${node.html.slice(0, 300)}`)
axe.run(document, {runOnly: tags, resultTypes: ["violations"]}).then(
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
return scrollWidth > clientWidth
"""
_NARROWEST = 320
"""Pixels, the fewest that WCAG asks for. Squares of large boards are too small there, but in lists, too."""
_BAD = {
    "pale": '<p style="background:#777;color:#888">This cannot be read.</p>',
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


@pytest.fixture(scope="module")
def addresses() -> Iterator[dict[str, str]]:
    html = '<!doctype html><html lang="en"><title>Bad</title><main>{}</main>'
    with shown({f"bad-{name}": html.format(bad) for name, bad in _BAD.items()}) as addresses:
        yield addresses


@pytest.mark.long
@pytest.mark.first
@pytest.mark.parametrize(
    ("scheme", "tags", "width"), [("light", _LIGHT, 1280), ("light", _LIGHT, 390), ("dark", _DARK, 390)]
)
def test_nothing_keeps_anybody_from_a_page(
    driver: webdriver.Chrome, addresses: dict[str, str], scheme: str, tags: list[str], width: int
) -> None:
    """In dark, about colours alone, and on a phone alone: nothing else depends on it, nor they on the width."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width == 390}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    found = []
    for name, address in addresses.items():
        driver.get(address)
        problems = driver.execute_async_script(_LOOK, tags) + driver.execute_script(_SMALL)
        found += [f"{name}: {problem}" for problem in problems]
    assert [each for each in found if not each.startswith("bad-")] == []
    for planted in ("bad-pale: color-contrast", "bad-small: target-size"):
        assert any(each.startswith(planted) for each in found), "it looks at what is shown"


@pytest.mark.long
@pytest.mark.first
def test_no_page_has_to_be_scrolled_sideways(driver: webdriver.Chrome, addresses: dict[str, str]) -> None:
    metrics = {"width": _NARROWEST, "height": 900, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    found = []
    for name, address in addresses.items():
        driver.get(address)
        found += [name] if driver.execute_script(_WIDE) else []
    assert found == ["bad-wide"]


@pytest.mark.timeout(300)  # seconds: it grows with every page
def test_no_page_is_left_out(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every template of a page is shown."""
    drawn = set()

    def note(sender: object, template: Template, **context: object) -> None:
        drawn.add(template.name)

    database = sqlite_database(tmp_path_factory.mktemp("data"))
    services = open_services(settings_for(database, base_url="https://games.example.org"), Clock())
    with template_rendered.connected_to(note):
        names = [name for name, _ in every_page(services)]
    services.engine.dispose()
    assert len(names) == len(set(names))
    rooms = [ROOT / "templates" / part for part in ("web", "demo")]
    templates = {path: str(path.relative_to(room)) for room in rooms for path in room.rglob("*.html")}
    frames = {"base.html", "frame.html"}
    pages = {name for path, name in templates.items() if path.name not in frames and path.name[0] != "_"}
    assert drawn == pages

"""Each letter has a picture and a useful preview in inboxes, and its HTML is accessible.

`make pictures` draws the pictures again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from axe_core_python.selenium import Axe  # type: ignore[import-untyped]
from selenium import webdriver

from mail.reading.quoting import SENTINEL
from rules.registry import RULES
from server.outbound.letters import LETTERS
from tests.pictures import OF_LETTERS
from tests.pictures.letters import Shown, newer, pictured, stored
from tests.support.mail.email_form import check_marker
from tests.support.web.chromium import chromium

_MOST_BYTES = 8_000_000
_LOOK = """
const [letters, rules, done] = arguments
const look = async () => {
  const found = []
  for (const [name, html] of letters) {
    const letter = new DOMParser().parseFromString(html, "text/html")
    document.replaceChild(document.adoptNode(letter.documentElement), document.documentElement)
    const asked = {...rules, resultTypes: ["violations"], preload: false, selectors: false}
    for (const problem of (await axe.run(document, asked)).violations)
      for (const node of problem.nodes) found.push(`${name}: ${problem.id}: ${node.html}`)
  }
  return found
}
look().then(done, error => done([String(error)]))
"""
"""Replaces the content of the page by one letter after the other, so that axe-core is loaded once."""
_PALE = (
    '<html lang="en"><body style="background:#777"><p style="color:#888">This cannot be read.</p></body></html>'
)


@cache
def _letters() -> dict[str, Shown]:
    return stored() | dict(newer())


def test_every_letter_has_a_picture_and_there_are_no_others() -> None:
    pictures = {path.stem for path in OF_LETTERS.glob("*.webp")}
    assert {name.partition("-")[0] for name in pictures} == set(LETTERS)
    assert {f"report-{game_type}" for game_type in RULES} <= pictures


def test_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in OF_LETTERS.glob("*.webp")) < _MOST_BYTES


def test_inbox_preview_of_each_letter_is_short_readable_text() -> None:
    for name, letter in _letters().items():
        assert 10 <= len(letter.preview) <= 140, name
        assert not re.search(r"##-|==|://|\b[a-h] [a-h] [a-h]\b", letter.preview), name


@pytest.mark.long
def test_sentinel_is_in_all_letters_that_accept_a_reply() -> None:
    letters = dict(pictured())
    assert {name.partition("-")[0] for name in letters} == set(LETTERS)
    for name, letter in letters.items():
        check_marker(name.partition("-")[0], letter.text, letter.html)
    assert SENTINEL not in letters["login_link"].text


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile"), scripts=True) as driver:
        driver.set_script_timeout(60)
        yield driver


@pytest.mark.long
@pytest.mark.slow
def test_letters_have_no_accessibility_errors(driver: webdriver.Chrome) -> None:
    """axe-core checks contrast (also in dark mode), headings, landmarks, tables and links of each letter."""
    letters = [(name, letter.html) for name, letter in _letters().items()]
    driver.get("data:text/html,")
    driver.execute_script(Axe().axe_script)
    for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        found = driver.execute_async_script(_LOOK, [*letters, ("pale", _PALE)], rules)
        assert [each for each in found if not each.startswith("pale: ")] == []
        assert any("color-contrast" in each for each in found), "the check sees the letter"

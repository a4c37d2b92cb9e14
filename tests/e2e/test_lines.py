"""The analysis board with keys, the meaning of written moves, and variations, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from server.processes.services import Services
from tests.support.server.games import begin
from tests.support.server.players import add_player
from tests.support.web.chromium import lent, log_in, site
from tests.support.web.clicker import Clicker


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with site(tmp_path) as opened:
        yield opened


@pytest.fixture
def ann(services: Services) -> Iterator[Clicker]:
    with lent(scripts=True) as driver:
        reader = Clicker(driver, services.settings.base_url)
        reader.player = add_player(services, "ann@example.org", "Ann")
        log_in(reader, services, reader.player)
        yield reader


def line(reader: Clicker) -> list[str]:
    """Return the moves tried so far."""
    return [element.text for element in reader.driver.find_elements(By.CSS_SELECTOR, ".line li")]


def await_line(reader: Clicker, *moves: str) -> None:
    reader.wait().until(lambda _: line(reader) == list(moves))


def await_said(reader: Clicker, words: str) -> None:
    """Wait until the text for screen readers begins like this."""
    reader.wait().until(lambda _: str(reader.find(By.ID, "said").get_property("textContent")).startswith(words))


@pytest.mark.long
def test_line_is_tried_written_saved_and_shown(services: Services, ann: Clicker) -> None:
    ben = add_player(services, "ben@example.org", "Ben")
    number = begin(services, "nebuchadnezzar", ann.player, ben, size=5)
    ann.open(f"/games/{number}/analysis")
    for tried in (["c3"], ["c3", "d4"]):
        ann.go(ann.door(tried[-1]))
        ann.type(Keys.ENTER)
        await_line(ann, *tried)
        await_said(ann, f"After {tried[-1]}: ")
    ann.type(Keys.BACKSPACE)
    await_line(ann, "c3")

    ann.driver.execute_script("window.same = true")
    ann.write("text", "d4, please")
    ann.wait().until(lambda _: ann.find(By.ID, "meaning").text == "Legal: d4")
    ann.write("text", "c3")
    ann.wait().until(lambda _: ann.count("#meaning .problem") == 1)
    assert ann.find(By.ID, "text").get_dom_attribute("aria-invalid") == "true"
    choice = ann.find(By.CSS_SELECTOR, "#meaning button")
    chosen = choice.text
    choice.click()
    await_line(ann, "c3", chosen)
    assert ann.driver.execute_script("return window.same"), "the page has not been reloaded"

    ann.write("comment", "Hm")
    ann.press("Save as a variation")
    ann.press("Share by link")
    ann.open(ann.find(By.CSS_SELECTOR, "[readonly]").get_property("value"))  # type: ignore[arg-type]
    ann.type(Keys.ARROW_LEFT)
    ann.await_text("after c3")
    assert ann.driver.current_url.endswith("?step=1")
    assert ann.complaints() == []

"""A visitor without an account at a browser: the example game of the rules by keys, and a game to try."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.support.web.chromium import Reader, lent, site


@pytest.fixture
def newcomer(tmp_path: Path) -> Iterator[Reader]:
    with site(tmp_path) as services, lent(scripts=True) as driver:
        yield Reader(driver, services.settings.base_url)


def test_sample_game_is_followed_with_the_keyboard(newcomer: Reader) -> None:
    newcomer.open("/rules/nelaxtam/game?turn=0")
    for turn in (1, 2):
        ActionChains(newcomer.driver).send_keys(Keys.ARROW_RIGHT).perform()
        newcomer.await_text(f"after turn {turn}")
    assert "Tiles destroyed: e5, b7." in newcomer.text
    assert newcomer.driver.current_url.endswith("/rules/nelaxtam/game?turn=2")


def test_game_against_the_computer_is_tried_by_clicking(newcomer: Reader) -> None:
    newcomer.open("/rules/nebuchadnezzar")
    newcomer.press("Try it against a computer player")
    newcomer.find(By.CSS_SELECTOR, ".board .door[data-pick=c3]").click()
    newcomer.wait().until(lambda _: newcomer.find(By.CSS_SELECTOR, ".move-text").text == "c3")
    newcomer.find(By.CSS_SELECTOR, "[data-act=play]").click()
    newcomer.await_text("Computer (")
    assert "You (Black): c3" in newcomer.text
    assert newcomer.complaints() == []

"""Forms that respond while they are filled in, in a real browser, and the same forms without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from server.accounts.login.links import NewPlayer
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading, writing
from server.store.models import Game, Player
from tests.support.server.players import add_player
from tests.support.web.chromium import Reader, lent, site

Enter = Callable[..., Reader]
_CHECKED = "[name=time]:checked"
_BUTTON_SHOWS = "return document.querySelector('#look').checkVisibility()"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """The services with which the test checks results."""
    with site(tmp_path) as opened:
        yield opened


@pytest.fixture
def ann(services: Services) -> Player:
    """The person who uses the browser."""
    return add_player(services, "ann@example.org", "Ann")


@pytest.fixture
def enter(services: Services, ann: Player) -> Iterator[Enter]:
    """A function that opens a browser in Berlin, in which Ann is logged in."""
    with ExitStack() as stack:

        def opened(*, scripts: bool) -> Reader:
            driver = stack.enter_context(lent(scripts=scripts))
            driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})
            reader = Reader(driver, services.settings.base_url)
            # With a login link, because the page of the link sends the time zone.
            reader.open(f"/enter/{services.logins.write(ann)}")
            reader.follow(reader.find(By.CSS_SELECTOR, "main button"))
            return reader

        yield opened


def told(reader: Reader) -> str:
    """Return everything on the page about the terms, visible or hidden."""
    parts = ("#deadlines", "#terms")
    return " ".join(str(reader.find(By.CSS_SELECTOR, part).get_property("textContent")) for part in parts)


def await_told(reader: Reader, words: str) -> None:
    """Wait until the terms contain this text."""
    reader.wait().until(lambda _: words in told(reader))


@pytest.mark.long
def test_form_shows_the_terms_while_they_are_entered(enter: Enter, services: Services) -> None:
    reader = enter(scripts=True)
    reader.open("/games/new/nelaxtam")
    assert not reader.driver.execute_script(_BUTTON_SHOWS)
    assert "Each move may take up to 3 days." in told(reader)
    reader.find(By.CSS_SELECTOR, "[value='1d']").click()
    await_told(reader, "Each move may take up to 1 day.")
    reader.find(By.CSS_SELECTOR, "summary").click()
    reader.write("other-time", "daily 20:00")
    await_told(reader, "Orders are due every day at 20:00")
    assert reader.count(_CHECKED) == 0
    reader.write("other-time", "soon")
    await_told(reader, "“soon” is not a time control")
    reader.find(By.CSS_SELECTOR, "[value='7d+1d']").click()
    await_told(reader, "a time bank of 7 days")
    assert reader.find(By.ID, "other-time").get_property("value") == ""
    reader.choose("option-troops", "2")
    await_told(reader, "With 2 troops per side, “sea” is from 0 to 2, not 3.")
    reader.choose("option-sea", "1")
    await_told(reader, "a time bank of 7 days")
    reader.find(By.CSS_SELECTOR, "[value=computer]").click()
    reader.press("Create the game")
    assert reader.complaints() == []
    with reading(services.engine) as session:
        game = session.get_one(Game, 1)
        assert (game.terms["time"], game.options["sea"]) == ("7d+1d/14d", 1)


@pytest.mark.long
def test_form_without_scripts_shows_the_terms_after_a_button(enter: Enter, services: Services) -> None:
    reader = enter(scripts=False)
    reader.open("/games/new/nibble")
    reader.find(By.CSS_SELECTOR, "[value='1d']").click()
    reader.choose("option-board", "hex-13")
    reader.press("Show the deadlines and terms")
    assert "Each move may take up to 1 day." in reader.text
    reader.find(By.CSS_SELECTOR, "summary").click()
    reader.write("other-time", "5d")
    reader.find(By.CSS_SELECTOR, "[value=computer]").click()
    reader.press("Create the game")
    with reading(services.engine) as session:
        game = session.get_one(Game, 1)
        assert (game.terms["time"], game.options["board"], log.id_of(game)) == ("5d", "hex-13", 1)


def test_browser_zone_is_suggested_until_one_is_chosen(enter: Enter, services: Services, ann: Player) -> None:
    def zone() -> str:
        with reading(services.engine) as session:
            return session.get_one(Player, ann.id).zone

    reader = enter(scripts=True)
    assert zone() == "Europe/Berlin"
    assert "Your time zone is Europe/Berlin" in reader.text
    with writing(services.engine) as session:
        session.get_one(Player, ann.id).zone = ""
    reader.open("/settings")
    assert reader.find(By.ID, "zone").get_property("value") == "Europe/Berlin"
    assert "the time zone of your browser (Europe/Berlin)" in reader.text
    assert zone() == ""
    reader.press("Save")
    assert zone() == "Europe/Berlin"
    assert "time zone of your browser" not in reader.text
    assert reader.complaints() == []


def test_browser_zone_is_suggested_to_a_new_player(enter: Enter, services: Services) -> None:
    reader = enter(scripts=True)
    reader.open(f"/enter/{services.logins.write_new(NewPlayer('ben@example.org', 'Ben'))}")
    assert reader.find(By.ID, "zone").get_property("value") == "Europe/Berlin"
    assert "once you press “Sign up”" in reader.text
    reader.press("Sign up")
    reader.open("/settings")
    assert reader.find(By.ID, "zone").get_property("value") == "Europe/Berlin"
    assert "time zone of your browser" not in reader.text

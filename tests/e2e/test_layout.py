"""Pages fit on a phone and are usable with a finger: measured in a real browser, on every kind of page."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from mailbox import Maildir
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from sqlmodel import select

from rules.registry import RULES
from server.accounts import players
from server.demo.pages import create_mailbox
from server.demo.postbox import Postbox
from server.game.lobby import challenges
from server.game.log import log
from server.game.play import moves
from server.game.play.target import Target
from server.processes.services import Services
from server.store import db
from server.store.db import reading
from server.store.models import Player
from server.store.outbox import ActionContext
from tests.support.web.chromium import Reader, lent, log_in, site

PHONE = (390, 844)
DESK = (1280, 900)
FINGER = 44
"""Pixels."""
THIN = 24
"""The lowest height of links in texts and tables, in pixels."""

_WIDTH = "return document.documentElement.scrollWidth"
_OFF_CENTRE = """
const board = document.querySelector("svg.board").getBoundingClientRect();
return Math.abs(board.x + board.width / 2 - arguments[0] / 2)
"""
_HIDDEN = "const text = document.querySelector('pre'); return text.scrollWidth - text.clientWidth"
_LOW = """
const pressed = "button, .button, input:not([type=hidden]), select, textarea, summary, nav a";
return [...document.querySelectorAll(pressed)]
  .filter(element => element.checkVisibility() && element.getBoundingClientRect().height < arguments[0])
  .map(element => element.outerHTML)
"""
_THIN = """
return [...document.querySelectorAll("main a")]
  .filter(link => link.checkVisibility() && !link.closest("svg"))
  .filter(link => [...link.getClientRects()].some(box => box.height < arguments[0]))
  .map(link => link.outerHTML)
"""
_WITHOUT_LABEL = """
return [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
  .filter(element => !element.labels.length)
  .map(element => element.outerHTML)
"""


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """Services with pages only, and a game of every type that Ann plays with Ben."""
    with site(tmp_path) as services:
        _play(services)
        yield services


def _play(services: Services) -> None:
    with db.writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann = players.register(action, "ann@example.org", "Ann")
        ben = players.register(action, "ben@example.org", "Ben")
        for game_type in RULES:
            game = challenges.challenge(action, ann, [ben], game_type, {})
            challenges.accept(action, ben, log.id_of(game))
            if RULES[game_type].simultaneous:  # the page of sealed orders has a long hash
                seat = challenges.seat_of(session, game, ann) or 0
                orders = log.rules_of(game).examples(log.position_of(game), seat)[0]
                moves.submit(action, ann, Target(log.id_of(game), seat, game.turn), orders)
        challenges.challenge(action, ben, [ann], "nelaxtam", {})


@pytest.mark.parametrize("size", [PHONE, pytest.param(DESK, marks=pytest.mark.long)])
def test_pages_fit_the_screen(services: Services, size: tuple[int, int]) -> None:
    with lent(scripts=True) as driver:
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        reader = Reader(driver, services.settings.base_url)
        for page in (
            *("/", "/sent", "/enter/x", "/nowhere", "/games/1", "/archive", "/lobby"),
            *("/verify", "/verify/how", "/colours"),
        ):
            check(reader, page, size[0])
        with db.reading(services.engine) as session:
            ann = session.exec(select(Player).where(Player.name == "Ann")).one()
        check(reader, f"/enter/{services.logins.write(ann)}", size[0])
        log_in(reader, services, ann)
        games = [f"/games/{number}" for number in range(1, len(RULES) + 2)]
        forms = [f"/games/new/{game_type}" for game_type in RULES]
        rules = [f"/rules/{game_type}" for game_type in RULES]
        for page in ("/games", "/settings", "/games/new", "/games/1/resign", *games, *forms, *rules):
            check(reader, page, size[0])


def test_small_board_is_centred_on_a_phone(services: Services) -> None:
    with db.writing(services.engine) as session:
        action = ActionContext(session, services.sealer, services.now())
        ann, ben = (session.exec(select(Player).where(Player.name == name)).one() for name in ("Ann", "Ben"))
        game = challenges.challenge(action, ann, [ben], "nebuchadnezzar", {"size": 4})
        challenges.accept(action, ben, log.id_of(game))
        number = log.id_of(game)
    with lent(scripts=True) as driver:
        metrics = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        Reader(driver, services.settings.base_url).open(f"/games/{number}")
        assert driver.execute_script(_OFF_CENTRE, PHONE[0]) < 1


def test_panels_of_a_game_are_tabs(services: Services) -> None:
    """One is open at a time, below the row of all tabs, also without scripts."""
    with reading(services.engine) as session:
        player = session.exec(select(Player).where(Player.name == "Ann")).one()
    with lent() as driver:
        driver.set_window_size(*DESK)
        reader = Reader(driver, services.settings.base_url)
        log_in(reader, services, player)
        reader.open("/games/1")
        tabs = driver.find_elements(By.CSS_SELECTOR, ".tabs .panel > summary")
        assert [tab.text for tab in tabs[-4:]] == ["History", "Email", "Export", "Terms"]
        assert reader.find(By.ID, "history").is_displayed()
        tabs[-3].click()
        shown = [
            each for each in driver.find_elements(By.CSS_SELECTOR, ".panel > section") if each.is_displayed()
        ]
        assert [each.get_dom_attribute("id") for each in shown] == ["mail"]
        assert shown[0].location["y"] > max(tab.location["y"] for tab in tabs)


def test_navigation_is_one_line_on_a_phone(services: Services) -> None:
    """With a long name, and without scripts."""
    with db.writing(services.engine) as session:
        player = session.exec(select(Player).where(Player.name == "Ann")).one()
        player.name = "Annunziatina"
    with lent() as driver:
        metrics = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        reader = Reader(driver, services.settings.base_url)
        log_in(reader, services, player)
        reader.open("/games/1")
        links = [each.rect for each in driver.find_elements(By.CSS_SELECTOR, ".top a") if each.is_displayed()]
        assert len({link["y"] + link["height"] / 2 for link in links}) == 1
        name = reader.find(By.CSS_SELECTOR, ".own-name")
        assert max(each["x"] + each["width"] for each in (*links, name.rect)) <= PHONE[0]
        assert driver.execute_script("return arguments[0].scrollWidth - arguments[0].clientWidth", name) <= 0
        name.click()
        menu = [each.text for each in driver.find_elements(By.CSS_SELECTOR, ".top details a")]
        assert menu == ["Tournaments", "Settings", "Help"]
        reader.press("Settings", "nav")
        assert reader.find(By.TAG_NAME, "h1").text == "Settings"
        reader.find(By.CSS_SELECTOR, ".top summary").send_keys(Keys.ENTER)
        ActionChains(driver).send_keys(Keys.TAB * 3).perform()
        assert driver.switch_to.active_element.text == "Help", "by keyboard"


_SEEN = """
const box = document.querySelector(".notice[role=status]").getBoundingClientRect();
return box.top >= 0 && box.bottom <= innerHeight
"""


def test_result_of_a_form_is_in_view_on_a_phone(services: Services) -> None:
    """Also of forms far down on the page, to which the browser returns."""
    with reading(services.engine) as session:
        player = session.exec(select(Player).where(Player.name == "Ann")).one()
    with lent() as driver:
        metrics = {"width": 390, "height": 664, "deviceScaleFactor": 1, "mobile": True}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        reader = Reader(driver, services.settings.base_url)
        log_in(reader, services, player)
        reader.open("/games/1")
        for button in ("Send", "Save as a note"):
            reader.write("say", "Good luck!")
            reader.press(button)
            assert driver.execute_script("return scrollY") > 0
            assert driver.execute_script(_SEEN), button
        reader.open("/settings")
        reader.follow(reader.find(By.CSS_SELECTOR, 'form[action$="/feeds"] button'))
        assert driver.execute_script("return scrollY") > 0
        assert driver.execute_script(_SEEN)


def test_archive_search_is_one_line_on_a_desktop(services: Services) -> None:
    with lent() as driver:
        driver.set_window_size(*DESK)
        reader = Reader(driver, services.settings.base_url)
        reader.open("/archive")
        fields = driver.find_elements(By.CSS_SELECTOR, ".search input, .search select")
        assert len({field.location["y"] for field in fields}) == 1


def test_demo_mailbox_shows_complete_emails(tmp_path: Path) -> None:
    message = EmailMessage()
    message["To"] = "ann@example.org"
    message.set_content("x" * 72)
    key = Maildir(tmp_path / "postbox").add(message.as_bytes())
    postbox = create_mailbox(
        Postbox(tmp_path / "postbox"), ("127.0.0.1", 1), "play@nabu.test", "http://127.0.0.1"
    )
    page = tmp_path / "page.html"
    page.write_bytes(postbox.test_client().get(f"/mail/{key}").data)
    with lent(scripts=True) as driver:
        for width in (1200, 1280, 1600):
            metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            driver.get(page.as_uri())
            assert driver.execute_script(_WIDTH) <= width
            assert driver.execute_script(_HIDDEN) == 0, width


def check(reader: Reader, page: str, width: int) -> None:
    """Check overflow, the size of targets, labels of fields, and that the browser refused nothing."""
    reader.open(page)
    driver = reader.driver
    assert driver.execute_script(_WIDTH) <= width, page
    assert driver.execute_script(_LOW, FINGER) == [], page
    assert driver.execute_script(_THIN, THIN) == [], page
    assert driver.execute_script(_WITHOUT_LABEL) == [], page
    assert reader.complaints() == [], page

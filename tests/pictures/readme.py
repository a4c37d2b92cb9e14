"""The picture in the README: an email after a turn, and beside it the page where orders are picked."""

from __future__ import annotations

from pathlib import Path
from random import Random

from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game
from tests.pictures.sheets import look
from tests.support.server.emails import letters
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.chromium import Reader, log_in, site

_SIZE = (600, 800)
_EDGE = 18
_GROUND = "#e8dcc8"
_TURNS = 5
_PICKS = ("1", "s", "4")
"""Made on the page: one order, and another that is begun."""
_COLOURS = 96


def readme(driver: webdriver.Chrome, folder: Path) -> Image.Image:
    """The two side by side, light, as one sees them after some turns of Nelaxtam."""
    with site(folder) as services:
        ann, ben = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben"))
        number = begin(services, "nelaxtam", ann, ben, size=10, troops=4, sea=1)
        _play(services, number)
        with reading(services.engine) as session:
            _, player = log.seats(session, session.get_one(Game, number))[0]
        letter = folder / "letter.html"
        sent = [each for each in letters(services) if each.letter == "report" and each.to == player.email]
        letter.write_text(sent[-1].html, encoding="utf-8")
        driver.get(letter.as_uri())
        left = look(driver, *_SIZE)
        reader = Reader(driver, services.settings.base_url)
        log_in(reader, services, player)
        reader.open(f"/games/{number}")
        for count, pick in enumerate(_PICKS, 1):
            _pick(driver, pick, count)
        driver.execute_script("document.activeElement.blur()")
        return _beside(left, look(driver, *_SIZE))


def _play(services: Services, number: int) -> None:
    choose = Random("readme").randrange
    for _ in range(_TURNS):
        with reading(services.engine) as session:
            game = session.get_one(Game, number)
            rules, position = log.rules_of(game), log.position_of(game)
        for seat in rules.to_move(position):
            submit(services, number, seat, rules.format(rules.sample(position, seat, choose)))


def _pick(driver: webdriver.Chrome, pick: str, count: int) -> None:
    """Press what stands for a pick, and wait until it is the last of so many."""
    door = driver.find_element(By.CSS_SELECTOR, f'[data-pick="{pick}"]')
    driver.execute_script("arguments[0].focus()", door)
    door.send_keys(Keys.ENTER)
    picked = ".making [type=hidden][name=pick]"
    WebDriverWait(driver, 60).until(lambda _: len(driver.find_elements(By.CSS_SELECTOR, picked)) == count)


def _beside(left: Image.Image, right: Image.Image) -> Image.Image:
    width, height = _SIZE
    sheet = Image.new("RGB", (2 * width + 3 * _EDGE, height + 2 * _EDGE), _GROUND)
    sheet.paste(left, (_EDGE, _EDGE))
    sheet.paste(right, (width + 2 * _EDGE, _EDGE))
    return sheet.quantize(_COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)

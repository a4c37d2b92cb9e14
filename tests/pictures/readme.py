"""The pictures in the README: an email with its answer, a board page on a phone, and a board of each game."""

from __future__ import annotations

import io
from collections.abc import Iterator
from html import escape
from pathlib import Path
from random import Random

from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from rules.registry import RULES
from server.game.log import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from server.web.game.pictures import picture, png
from tests.pictures.sheets import look
from tests.support.server.emails import Written, letters
from tests.support.server.games import begin, submit
from tests.support.server.players import add_player
from tests.support.web.chromium import Reader, log_in, site

_EMAIL = (620, 844)
_PHONE = (390, 844)
_THUMBNAIL = 160
_TURNS = 5
_PICKS = ("1", "s", "4")
"""The picks on the page: one complete order and the beginning of another."""
_COLOURS = 96
_REPLY = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><body style="margin:18px;font:16px/1.45 Arial,sans-serif;color:#222">
<p style="margin:0;color:#666">To: Nabu<br>Subject: Re: {subject}</p>
<hr style="border:0;border-top:1px solid #ccc">
<p style="font-size:20px;margin:14px 0"><b>{move}</b></p>
<p style="margin:0 0 4px;color:#666">Nabu wrote:</p>
{letter}
"""


def readme(driver: webdriver.Chrome, folder: Path) -> Iterator[tuple[str, Image.Image]]:
    """Yield the pictures with their names: of a game of Nelaxtam after some turns, and of each game."""
    for game_type in RULES:
        yield game_type, _thumbnail(game_type)
    with site(folder) as services:
        ann, ben = (add_player(services, f"{name.lower()}@example.org", name) for name in ("Ann", "Ben"))
        number = begin(services, "nelaxtam", ann, ben, size=10, troops=4, sea=1)
        _play(services, number)
        player = _player(services, number)
        yield "email", _email(driver, folder, services, player)
        yield "phone", _page(driver, services, player, number)


def _thumbnail(game_type: str) -> Image.Image:
    """Return the board of a game, at most as wide and as high as a thumbnail."""
    board = Image.open(io.BytesIO(png(picture(game_type)))).convert("RGB")
    board.thumbnail((_THUMBNAIL, _THUMBNAIL), Image.Resampling.LANCZOS)
    return board


def _play(services: Services, number: int) -> None:
    choose = Random("readme").randrange
    for _ in range(_TURNS):
        with reading(services.engine) as session:
            game = session.get_one(Game, number)
            rules, position = log.rules_of(game), log.position_of(game)
        for seat in rules.to_move(position):
            submit(services, number, seat, rules.format(rules.sample(position, seat, choose)))


def _player(services: Services, number: int) -> Player:
    """Return the player of the first seat."""
    with reading(services.engine) as session:
        return log.seats(session, session.get_one(Game, number))[0][1]


def _email(driver: webdriver.Chrome, folder: Path, services: Services, player: Player) -> Image.Image:
    """Draw the last email about a turn as a reply quotes it, below the orders."""
    sent = [each for each in letters(services) if each.letter == "report" and each.to == player.email]
    file = folder / "reply.html"
    file.write_text(_reply(sent[-1], "1 se, 2 s, 4 ne"), encoding="utf-8")
    driver.get(file.as_uri())
    return look(driver, *_EMAIL)


def _reply(letter: Written, move: str) -> str:
    quoted = "border-left:3px solid #aaa;width:100%;height:1400px;border-width:0 0 0 3px"
    frame = f'<iframe style="{quoted}" srcdoc="{escape(letter.html)}"></iframe>'
    return _REPLY.format(subject=escape(str(letter.mail["Subject"])), move=move, letter=frame)


def _page(driver: webdriver.Chrome, services: Services, player: Player, number: int) -> Image.Image:
    """Draw the page of a game on a phone, where orders are picked."""
    reader = Reader(driver, services.settings.base_url)
    log_in(reader, services, player)
    reader.open(f"/games/{number}")
    for count, pick in enumerate(_PICKS, 1):
        _pick(driver, pick, count)
    driver.execute_script("document.activeElement.blur()")
    return look(driver, *_PHONE)


def _pick(driver: webdriver.Chrome, pick: str, count: int) -> None:
    """Press the button of a pick, and wait until it is the last of so many."""
    door = driver.find_element(By.CSS_SELECTOR, f'[data-pick="{pick}"]')
    driver.execute_script("arguments[0].focus()", door)
    door.send_keys(Keys.ENTER)
    picked = ".making [type=hidden][name=pick]"
    WebDriverWait(driver, 60).until(lambda _: len(driver.find_elements(By.CSS_SELECTOR, picked)) == count)

"""Boards that are clicked, touched or played with keys, in a real browser with scripts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from rules.chance import Chance
from rules.registry import KINDS
from server.game import log
from server.processes.services import Services, open_services
from server.settings import Settings
from server.store.db import reading
from server.store.models import Game, Player
from tests.e2e.browsing import Reader, chromium, pages
from tests.ports import free_port
from tests.rules.random_games import seed
from tests.server.browsers import add_player, begin, submit
from tests.services import settings_for, sqlite_database

WIDE, PHONE = (1280, 900), (390, 844)


class Clicker(Reader):
    """A player at a browser with scripts."""

    player: Player

    def door(self, pick: str) -> WebElement:
        """What stands for a pick: the one element that says so."""
        (found,) = self.driver.find_elements(By.CSS_SELECTOR, f'[data-pick="{pick}"]')
        return found

    def made(self) -> str:
        """The move that can be played now; "" for none."""
        return self.find(By.CSS_SELECTOR, "[data-move]").get_dom_attribute("data-move") or ""

    def picked(self) -> int:
        """How many things are picked."""
        return self.count(".making [type=hidden][name=pick]")

    def pick(self, text: str, *, by_keys: bool) -> None:
        """Pick something, and wait until the page shows what follows."""
        before, door = self.picked(), self.door(text)
        if by_keys:
            self.driver.execute_script("arguments[0].focus()", door)
            self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        else:
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", door)
            ActionChains(self.driver).move_to_element(door).click().perform()
        self.await_picks(before + 1)

    def await_picks(self, number: int) -> None:
        """Wait until so much is picked."""
        self.wait().until(lambda _: self.picked() == number)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Pages at an address of their own, over SQLite: browsers see nothing of the database."""
    listen = f"127.0.0.1:{free_port()}"
    return settings_for(sqlite_database(tmp_path), base_url=f"http://{listen}", http_listen=listen)


@pytest.fixture
def services(settings: Settings) -> Iterator[Services]:
    """What the test itself plays with."""
    opened = open_services(settings)
    yield opened
    opened.engine.dispose()


@pytest.fixture
def browsers(settings: Settings, services: Services, tmp_path: Path) -> Iterator[list[Clicker]]:
    """Ann and Ben, each at a browser and logged in."""
    with ExitStack() as stack:
        stack.enter_context(pages(settings))
        found = []
        for name in ("Ann", "Ben"):
            driver = stack.enter_context(chromium(tmp_path / name, scripts=True))
            reader = Clicker(driver, settings.base_url)
            reader.player = add_player(services, f"{name.lower()}@example.org", name)
            with reading(services.engine) as session:
                secret = services.logins.write(session.get_one(Player, reader.player.id))
            reader.open(f"/enter/{secret}")
            reader.follow(reader.find(By.CSS_SELECTOR, "main button"))
            found.append(reader)
        yield found


def seated(services: Services, browsers: list[Clicker], number: int) -> list[Clicker]:
    """The two by seat."""
    with reading(services.engine) as session:
        names = [player.name for _, player in log.seats(session, session.get_one(Game, number))]
    return [next(reader for reader in browsers if reader.player.name == name) for name in names]


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "size", "by_keys"),
    [*((kind, WIDE, False) for kind in KINDS), ("nelaxtam", PHONE, False), ("nexus", WIDE, True)],
)
def test_random_turns_are_picked_shown_and_played(
    services: Services, browsers: list[Clicker], kind: str, size: tuple[int, int], by_keys: bool
) -> None:
    number = begin(services, kind, *(reader.player for reader in browsers))
    people = seated(services, browsers, number)
    below = Chance(seed(3), "clicks").below
    for reader in people:
        reader.driver.set_window_size(*size)
    for _ in range(5):
        with reading(services.engine) as session:
            game = session.get_one(Game, number)
            rules, position = log.rules_of(game), log.position_of(game)
        for seat in rules.to_move(position):
            pick_and_play(
                people[seat], number, rules, position, seat, rules.sample(position, seat, below), by_keys
            )
        with reading(services.engine) as session:
            assert session.get_one(Game, number).turn > game.turn
    assert [reader.complaints() for reader in people] == [[], []]


def pick_and_play(
    reader: Clicker, number: int, rules: Any, position: Any, seat: int, move: Any, by_keys: bool
) -> None:
    """Go to the game, pick a move to its end, and play it."""
    reader.open(f"/games/{number}")
    for text in rules.picks_of(position, seat, move)[reader.picked() :]:
        reader.pick(text, by_keys=by_keys)
    assert reader.made() == rules.format(move)
    reader.follow(reader.find(By.CSS_SELECTOR, "[data-act=play], [data-act=seal]"))


def test_steps_are_taken_back_and_arrows_lead_over_the_board(
    services: Services, browsers: list[Clicker]
) -> None:
    number = begin(services, "nebuchadnezzar", *(reader.player for reader in browsers), size=5)
    submit(services, number, 0, "c3")
    submit(services, number, 1, "a1")
    reader = seated(services, browsers, number)[0]
    reader.open(f"/games/{number}")
    reader.driver.execute_script("arguments[0].focus()", reader.door("a5"))
    ActionChains(reader.driver).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER).perform()
    reader.await_picks(1)
    assert reader.made() == "b4"
    reader.find(By.CSS_SELECTOR, "[data-act=back]").click()
    reader.await_picks(0)
    assert reader.made() == ""
    reader.pick("e5", by_keys=False)
    reader.find(By.CSS_SELECTOR, "[data-act=clear]").click()
    reader.await_picks(0)
    assert reader.find(By.CSS_SELECTOR, ".status").text.startswith("Turn 3: your move.")

"""Boards that are clicked, touched or played with keys, in a real browser with scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import staleness_of

from rules.game import Json
from rules.registry import KINDS
from server.game import log
from server.processes.services import Services
from server.store.db import reading
from server.store.models import Game, Player
from tests.e2e.browsing import Reader, is_lit, lent, log_in, site
from tests.rules.short_games import short_game
from tests.server.browsers import add_player, begin, submit

WIDTHS = ((1280, 900), (390, 844))
"""At a desk, and on a phone."""
_OPTIONS: dict[str, Json] = {"nebuchadnezzar": {"size": 4}, "nelaxtam": {"size": 10, "troops": 3, "sea": 2}}
"""For games that do not take too long."""
_MOST_STOPS = 60
_PLACE, _WORD = re.compile(r"[a-z]?\d+"), re.compile(r"^[A-Za-z]{1,2}$")
"""The part in which picks of one sort differ: places and numbers; directions and names of troops."""
_ARROWS = {
    "ArrowLeft": Keys.ARROW_LEFT,
    "ArrowRight": Keys.ARROW_RIGHT,
    "ArrowUp": Keys.ARROW_UP,
    "ArrowDown": Keys.ARROW_DOWN,
}
_UNTIL_PICKED = """
const [number, done] = arguments
const look = () => document.querySelectorAll(".making [type=hidden][name=pick]").length == number
const again = setInterval(() => look() && (clearInterval(again), done()), 10)
"""
_WAY = """
const [there, done] = arguments
import(document.querySelector("script[src*='board.js']").src).then(({ARROWS, beside}) => {
  const ways = new Map([[document.activeElement, []]])
  for (const [door, keys] of ways)
    for (const [key, direction] of Object.entries(ARROWS)) {
      const next = beside(door, direction)
      if (next && !ways.has(next)) ways.set(next, [...keys, key])
    }
  done(ways.get(there))
})
"""
"""The arrows that lead from the place that has the focus to another, as the page's own script goes."""
_IS_AFTER = (
    "return document.activeElement.compareDocumentPosition(arguments[0]) & Node.DOCUMENT_POSITION_PRECEDING"
)
"""Whether the focus is behind an element."""


class Clicker(Reader):
    """A player at a browser with scripts."""

    player: Player
    size = (0, 0)

    def door(self, pick: str) -> WebElement:
        """What stands for a pick: the one element that says so."""
        (found,) = self.driver.find_elements(By.CSS_SELECTOR, f'[data-pick="{pick}"]')
        return found

    def sit(self, size: tuple[int, int]) -> None:
        """Look through a window of this size from now on."""
        if self.size != size:
            self.driver.set_window_size(*size)
            self.size = size

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
            self.go(door)
            self.type(Keys.ENTER)
        else:
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", door)
            ActionChains(self.driver, duration=0).move_to_element(door).click().perform()
        self.await_picks(before + 1)

    def play(self, *, by_keys: bool) -> None:
        """Play or seal what is made."""
        button = self.find(By.CSS_SELECTOR, "[data-act=play], [data-act=seal]")
        if not by_keys:
            return self.follow(button)
        self.go(button)
        self.type(Keys.ENTER)
        self.wait().until(staleness_of(button))

    def go(self, there: WebElement) -> None:
        """Move the focus with keys alone: by tab, and over the board, which is one stop, with arrows."""
        stops = [there]
        if on_board := "door" in (there.get_dom_attribute("class") or ""):
            stops = self.driver.find_elements(By.CSS_SELECTOR, ".board .door")
        back = self.driver.execute_script(_IS_AFTER, stops[0])
        for _ in range(_MOST_STOPS):
            if self.driver.switch_to.active_element in stops:
                break
            self.type(*([Keys.SHIFT, Keys.TAB, Keys.NULL] if back else [Keys.TAB]))
        if on_board:
            self.type(*(_ARROWS[arrow] for arrow in self.driver.execute_async_script(_WAY, there)))
        assert self.driver.switch_to.active_element == there

    def type(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def await_picks(self, number: int) -> None:
        """Wait until so much is picked."""
        self.driver.execute_async_script(_UNTIL_PICKED, number)


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """What the test itself plays with."""
    with site(tmp_path) as opened:
        yield opened


@pytest.fixture
def browsers(services: Services) -> Iterator[list[Clicker]]:
    """Ann and Ben, each at a browser and logged in."""
    with ExitStack() as stack:
        found = []
        for name in ("Ann", "Ben"):
            driver = stack.enter_context(lent(scripts=True))
            reader = Clicker(driver, services.settings.base_url)
            reader.player = add_player(services, f"{name.lower()}@example.org", name)
            log_in(reader, services, reader.player)
            found.append(reader)
        yield found


@dataclass(frozen=True)
class Standing:
    """How a game stands."""

    rules: Any
    position: Any
    turn: int
    running: bool


def standing(services: Services, number: int) -> Standing:
    """How the game stands now."""
    with reading(services.engine) as session:
        game = session.get_one(Game, number)
        return Standing(log.rules_of(game), log.position_of(game), game.turn, game.state == "running")


def seated(services: Services, browsers: list[Clicker], number: int) -> list[Clicker]:
    """The two by seat."""
    with reading(services.engine) as session:
        names = [player.name for _, player in log.seats(session, session.get_one(Game, number))]
    return [next(reader for reader in browsers if reader.player.name == name) for name in names]


@pytest.mark.long
@pytest.mark.first
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_is_played_on_the_board(services: Services, browsers: list[Clicker], kind: str) -> None:
    """One plays by clicking, the other with keys alone, both now at a desk and now on a phone.

    A move of each sort is made on the board, and one by each at each width; other turns but the last are played
    elsewhere.
    """
    options = _OPTIONS.get(kind, {})
    number = begin(services, kind, *(reader.player for reader in browsers), **options)
    people = seated(services, browsers, number)
    moves = short_game(kind, options)
    seen: set[object] = set()
    while (stands := standing(services, number)).running:
        rules, position, size = stands.rules, stands.position, WIDTHS[stands.turn // 4 % 2]
        made = moves(position)
        is_last = rules.result(rules.play(position, made)) is not None
        for seat, move in made.items():
            picks = rules.picks_of(position, seat, move)
            sorts = {(seat, size), sort_of(picks)}
            if sorts <= seen and not is_last:
                submit(services, number, seat, rules.format(move))
                continue
            seen |= sorts
            reader, by_keys = people[seat], bool(seat)
            reader.sit(size)
            reader.open(f"/games/{number}")
            for text in picks[reader.picked() :]:
                reader.pick(text, by_keys=by_keys)
            assert reader.made() == rules.format(move)
            reader.play(by_keys=by_keys)
        assert standing(services, number).turn > stands.turn
    assert {(seat, size) for seat in (0, 1) for size in WIDTHS} <= seen
    people[0].open(f"/games/{number}")
    assert "Rematch" in people[0].find(By.CSS_SELECTOR, ".status").text
    assert [reader.complaints() for reader in people] == [[], []]


def sort_of(picks: Sequence[str]) -> tuple[bool, frozenset[str]]:
    """Return the sort of a move: the number of picks, and their sorts."""
    return len(picks) > 1, frozenset(_WORD.sub("word", _PLACE.sub("place", pick)) for pick in picks)


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


@pytest.mark.parametrize("kind", ["nebuchadnezzar", pytest.param("nelaxtam", marks=pytest.mark.long)])
def test_the_place_that_has_the_focus_is_the_one_stop_of_the_board(
    services: Services, browsers: list[Clicker], kind: str
) -> None:
    """Of boards with addresses and without."""
    options = _OPTIONS[kind]
    number = begin(services, kind, *(reader.player for reader in browsers), **options)
    reader = seated(services, browsers, number)[0]
    reader.open(f"/games/{number}")
    assert is_lit(reader)
    rules, position = standing(services, number).rules, standing(services, number).position
    for text in rules.picks_of(position, 0, next(rules.moves(position, 0)))[reader.picked() :]:
        assert len(stops(reader)) == 1
        if "door" in (reader.door(text).get_dom_attribute("class") or ""):
            reader.driver.execute_script("arguments[0].focus()", reader.door(text))
            assert stops(reader) == [reader.driver.switch_to.active_element]
        reader.pick(text, by_keys=True)
        focused = reader.driver.switch_to.active_element
        if focused in reader.driver.find_elements(By.CSS_SELECTOR, ".board .door"):
            assert stops(reader) == [focused]


def stops(reader: Clicker) -> list[WebElement]:
    """The places of the board that the tab key stops at."""
    return reader.driver.find_elements(By.CSS_SELECTOR, ".board .door:not([tabindex='-1'])")
